// SPDX-License-Identifier: Apache-2.0
package io.aether.sample.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The load on a server that answers slowly, and with an error every tenth time. */
class LoadIT {

    private final AtomicInteger seen = new AtomicInteger();
    private final ExecutorService workers = Executors.newCachedThreadPool();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(workers);
        server.createContext("/page", exchange -> {
            int n = seen.incrementAndGet();
            pause();
            exchange.sendResponseHeaders(n % 10 == 0 ? 500 : 200, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        workers.shutdownNow();
    }

    @Test
    void slowAnswersDoNotSlowItDown() throws Exception {
        URI page = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/page");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Load load = new Load(page, 50, Duration.ZERO);
        Thread runner = new Thread(() -> load.run(new PrintStream(out, true, UTF_8), Duration.ofSeconds(1)));
        runner.start();
        Thread.sleep(3_200);
        load.stop();
        runner.join(1_000);
        // One at a time, at 100 ms each, there would be 32.
        assertThat(seen.get()).isBetween(120, 165);
        assertThat(out.toString(UTF_8).lines()).hasSizeBetween(2, 3).allMatch(line -> line.contains("P99"));
        assertThat(out.toString(UTF_8)).containsPattern("[1-9] failed");
    }

    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

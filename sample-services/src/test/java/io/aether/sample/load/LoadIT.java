// SPDX-License-Identifier: Apache-2.0
package io.aether.sample.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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

    private static final double PER_SECOND = 50;

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
        Load load = new Load(page, PER_SECOND, Duration.ZERO);
        Thread runner = new Thread(() -> load.run(new PrintStream(out, true, UTF_8), Duration.ofSeconds(1)));
        long begun = System.nanoTime();
        runner.start();
        await().until(() -> out.toString(UTF_8).lines().count() == 3);
        load.stop();
        runner.join(1_000);
        double seconds = (System.nanoTime() - begun) / 1e9;
        // One at a time, at 100 ms each, there would be ten a second.
        assertThat(seen.get() / seconds).isBetween(0.75 * PER_SECOND, 1.05 * PER_SECOND);
        assertThat(seconds).isGreaterThanOrEqualTo(3);
        assertThat(out.toString(UTF_8).lines()).allMatch(line -> line.contains("P99"));
        assertThat(out.toString(UTF_8)).containsPattern("[1-9] failed");
    }

    @Test
    void coldProcessesAreAskedOnceAtATimeUntilTheyHaveAnswered() throws Exception {
        URI page = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/page");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new Load(page, PER_SECOND, Duration.ZERO).warmUp(new PrintStream(out, true, UTF_8), 10, Duration.ofSeconds(30));
        assertThat(seen).as("ten answers and the error among them").hasValue(11);
        assertThat(out.toString(UTF_8)).startsWith("warmed up by 10 answers in ");
    }

    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

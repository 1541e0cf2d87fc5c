// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.hedge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aether.core.hedge.HedgerSnapshot;
import io.aether.core.table.EndpointHealth;
import io.aether.core.table.NetworkNamespace;
import io.aether.core.table.TableFile;
import io.aether.core.table.TableLayout;
import io.aether.core.table.TableSource;
import io.aether.core.table.TableState;
import io.aether.starter.testing.Apps;
import io.aether.starter.testing.Backend;
import io.aether.starter.testing.BalancedClients;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/** An instance stops while a call waits for it, which the health table tells; the clock would wait for a minute. */
class StalledHedgeIT {

    /** Saves two second attempts. */
    private static final int LEARN = 40;

    private final Backend one = new Backend();
    private final Backend other = new Backend();
    private ConfigurableApplicationContext app;
    private TableFile table;
    private boolean asked;

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("health");
        table = TableFile.create(file, 64, System.nanoTime());
        app = Apps.start(
                App.class,
                WebApplicationType.NONE,
                List.of(one, other),
                "aether.table.path=" + file,
                "aether.table.refresh=20ms",
                "aether.hedge.mode=on",
                "aether.hedge.min-delay=1m");
        await().until(() -> {
            table.heartbeat(System.nanoTime());
            return app.getBean(TableSource.class).state() == TableState.LIVE;
        });
    }

    @AfterEach
    void stop() {
        app.close();
        one.close();
        other.close();
    }

    private String call(String kind) {
        return kind.equals("WebClient")
                ? app.getBean(WebClient.Builder.class)
                        .build()
                        .get()
                        .uri("http://shop/x")
                        .retrieve()
                        .bodyToMono(String.class)
                        .block()
                : app.getBean(RestClient.Builder.class)
                        .build()
                        .get()
                        .uri("http://shop/x")
                        .retrieve()
                        .body(String.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"WebClient", "RestClient"})
    void theKernelsWordSendsTheSecondAttempt(String kind) {
        for (int i = 0; i < LEARN; i++) {
            call(kind);
        }
        CountDownLatch stopped = new CountDownLatch(1);
        stops(one, stopped);
        stops(other, stopped);
        long begin = System.nanoTime();
        assertThat(call(kind)).isEqualTo("ok");
        assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(8));
        HedgerSnapshot counts = app.getBean(Hedges.class).all().get(0).hedger().snapshot();
        assertThat(counts.stalled()).isOne();
        assertThat(counts.slow()).isZero();
        assertThat(counts.won()).isOne();
        stopped.countDown();
    }

    /** The first request to come anywhere stops its server, and the agent tells so until the test is over. */
    private void stops(Backend backend, CountDownLatch over) {
        backend.does(exchange -> {
            if (over.getCount() == 0 || !first()) {
                Backend.answer(exchange, 200, "ok");
                return;
            }
            for (int i = 0; i < 1000 && !over.await(10, TimeUnit.MILLISECONDS); i++) {
                tellStalled(backend);
            }
            Backend.answer(exchange, 200, "late");
        });
    }

    private synchronized boolean first() {
        boolean first = !asked;
        asked = true;
        return first;
    }

    private void tellStalled(Backend backend) {
        EndpointHealth stalled = new EndpointHealth();
        stalled.flags = TableLayout.FLAG_STALLED;
        stalled.reportTimeNanos = System.nanoTime();
        stalled.stalledSinceNanos = stalled.reportTimeNanos - 20_000_000;
        stalled.stallAgeMicros = 20_000;
        stalled.source = TableLayout.FROM_NODE;
        table.heartbeat(stalled.reportTimeNanos);
        table.put(
                NetworkNamespace.inodeOfSelf(),
                TableFile.address("127.0.0.1", backend.port()),
                TableLayout.KIND_PEER,
                stalled);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(BalancedClients.class)
    static class App {}
}

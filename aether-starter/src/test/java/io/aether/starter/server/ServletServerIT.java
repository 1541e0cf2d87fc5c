// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aether.core.limit.Priority;
import io.aether.core.pick.Mode;
import io.aether.starter.context.ContextHeaders;
import io.aether.starter.context.IgnoredHeaders;
import io.aether.starter.context.IgnoredHeaders.Reason;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.WebApplicationType;

/** A servlet application on Tomcat, over HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ServletServerIT {

    private static final int THREADS = 4;

    private Served app;

    @BeforeAll
    void start() {
        app = new Served(
                ServletApp.class,
                WebApplicationType.SERVLET,
                "server.tomcat.threads.max=" + THREADS,
                "server.tomcat.threads.min-spare=" + THREADS,
                "aether.server.objective=1s",
                "aether.server.user.header=X-Customer",
                "aether.server.routes[0].path=/ruled/**",
                "aether.server.routes[0].priority=degraded",
                "aether.server.routes[0].deadline=5s",
                "management.endpoints.web.exposure.include=*");
    }

    @AfterAll
    void stop() {
        app.close();
    }

    @BeforeEach
    void quiet() {
        app.queue(0);
        app.bean(ServerGate.class).mode(Mode.ON);
    }

    @Test
    void theLeastImportantAreRefusedFirst() throws Exception {
        app.takes(10);
        app.queue(30); // 300 ms of 400.
        assertThat(app.status("/context", Priority.BULK)).isEqualTo(503);
        assertThat(app.status("/context", Priority.BEST_EFFORT)).isEqualTo(503);
        assertThat(app.status("/context", Priority.DEGRADED)).isEqualTo(200);
        assertThat(app.status("/context", Priority.CRITICAL)).isEqualTo(200);
        app.queue(50);
        HttpResponse<String> refused = app.get("/context");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).isEmpty();
        assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
        assertThat(refused.headers().firstValue(ContextHeaders.PRESSURE)).hasValue("255");
        assertThat(app.status("/actuator/health", Priority.BULK)).isEqualTo(200);
        await().untilAsserted(
                        () -> assertThat(app.bean(ServerLoad.class).inFlight()).isZero());
    }

    @Test
    void annotationsAndRulesSayThePriority() throws Exception {
        assertThat(app.get("/bulk/7").body()).startsWith("BULK");
        assertThat(app.get("/bulk/urgent").body()).startsWith("CRITICAL");
        assertThat(app.get("/ruled/7").body()).startsWith("DEGRADED until");
        assertThat(app.get("/ruled/7", ContextHeaders.PRIORITY, "bulk").body()).startsWith("BULK");
        assertThat(app.get("/context").body()).startsWith("CRITICAL rank 0.0");
        app.takes(10);
        app.queue(30);
        assertThat(app.get("/bulk/7").statusCode()).isEqualTo(503);
        assertThat(app.get("/bulk/urgent").statusCode()).isEqualTo(200);
    }

    @Test
    void whatIsTooLateIsNotBegun() throws Exception {
        assertThat(app.get("/context", ContextHeaders.DEADLINE, "0").statusCode())
                .isEqualTo(504);
        app.takes(10);
        app.queue(10); // 100 ms.
        assertThat(app.get("/context", ContextHeaders.DEADLINE, "60").statusCode())
                .isEqualTo(503);
        assertThat(app.get("/context", ContextHeaders.DEADLINE, "5000").statusCode())
                .isEqualTo(200);
        ServerGate gate = app.bean(ServerGate.class);
        assertThat(gate.refusals(Mode.ON, Verdict.EXPIRED, Priority.CRITICAL)).isOne();
        assertThat(gate.refusals(Mode.ON, Verdict.DEADLINE, Priority.CRITICAL)).isOne();
    }

    @Test
    void observingRefusesNothingAndSaysNothing() throws Exception {
        app.bean(ServerGate.class).mode(Mode.OBSERVE);
        app.takes(10);
        app.queue(500);
        HttpResponse<String> answer = app.get("/context", ContextHeaders.PRIORITY, "bulk");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().map()).doesNotContainKey(ContextHeaders.PRESSURE);
        assertThat(app.bean(ServerGate.class).refusals(Mode.OBSERVE, Verdict.OVERLOAD, Priority.BULK))
                .isPositive();
    }

    @Test
    void theEndpointTellsAndSwitches() throws Exception {
        assertThat(app.get("/actuator/aetherserver").body())
                .contains("\"mode\":\"on\"", "\"limitMillis\":400.0", "\"telling\":false");
    }

    @Test
    void answersTellOfTheHighestPressure() throws Exception {
        assertThat(pressure("/context")).isEqualTo("0");
        assertThat(pressure("/heard/90")).isEqualTo("90");
        assertThat(pressure("/large/90")).isEqualTo("90");
        assertThat(pressure("/deferred/90")).isEqualTo("90");
        assertThat(pressure("/nowhere")).isEqualTo("0");
        app.takes(10);
        app.queue(20); // Half of the limit.
        assertThat(pressure("/heard/90")).isEqualTo("127");
    }

    private String pressure(String path) throws Exception {
        return app.get(path).headers().firstValue(ContextHeaders.PRESSURE).orElse("none");
    }

    @Test
    void sillyHeadersAreIgnoredAndCounted() throws Exception {
        long before = app.bean(IgnoredHeaders.class).total(Reason.MALFORMED);
        assertThat(app.get(
                                "/context",
                                ContextHeaders.PRIORITY,
                                "first",
                                ContextHeaders.DEADLINE,
                                "-1",
                                ContextHeaders.USER,
                                "anna")
                        .body())
                .startsWith("CRITICAL rank 0.0");
        assertThat(app.bean(IgnoredHeaders.class).total(Reason.MALFORMED)).isEqualTo(before + 3);
    }

    @Test
    void theContextSurvivesThreadPoolsAndLaterAnswers() throws Exception {
        String[] bulk = {ContextHeaders.PRIORITY, "bulk", ContextHeaders.USER, "8388608"};
        assertThat(app.get("/async", bulk).body()).isEqualTo("BULK rank 0.5");
        assertThat(app.get("/callable", bulk).body()).isEqualTo("BULK rank 0.5");
        HttpResponse<String> deferred = app.get("/deferred/1", bulk);
        assertThat(deferred.body()).isEqualTo("BULK rank 0.5");
        await().untilAsserted(
                        () -> assertThat(app.bean(ServerLoad.class).inFlight()).isZero());
        assertThat(app.get("/context").body()).isEqualTo("CRITICAL rank 0.0");
    }

    @Test
    void usersHaveARank() throws Exception {
        String anna = app.get("/context", "X-Customer", "anna").body();
        assertThat(anna).isNotEqualTo("CRITICAL rank 0.0");
        assertThat(app.get("/bulk/1", "X-Customer", "anna").body()).endsWith(anna.substring("CRITICAL".length()));
        assertThat(app.get("/context", "X-Customer", "berta").body()).isNotEqualTo(anna);
    }

    @Test
    void aRealQueueIsMeasuredAndCutByTier() throws Exception {
        try (Served own = new Served(
                ServletApp.class,
                WebApplicationType.SERVLET,
                "server.tomcat.threads.max=2",
                "aether.server.objective=500ms")) {
            for (int i = 0; i < 2 * ServerLoad.COLD; i++) {
                own.get("/sleeps/40");
            }
            // 40 clients that never give up: 40 * 40 ms / 2 = 800 ms of queue, of which 200 ms are allowed, and 110 ms
            // for BULK.
            AtomicInteger bulk = new AtomicInteger();
            AtomicInteger critical = new AtomicInteger();
            AtomicInteger refused = new AtomicInteger();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(4);
            List<Thread> clients = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                clients.add(client(own, Priority.BULK, end, bulk, refused));
                clients.add(client(own, Priority.CRITICAL, end, critical, refused));
            }
            for (Thread client : clients) {
                client.join();
            }
            assertThat(refused.get()).isPositive();
            // Nobody starves the threads: there are 4 s of two of them, and a busy machine may take a half.
            assertThat(critical.get() + bulk.get()).isBetween(60, 220);
            assertThat(critical.get()).isGreaterThan(2 * bulk.get());
            await().untilAsserted(() ->
                    assertThat(own.bean(ServerLoad.class).inFlight()).isZero());
            assertThat(own.get("/context", ContextHeaders.PRIORITY, "bulk").statusCode())
                    .isEqualTo(200);
        }
    }

    private static Thread client(
            Served own, Priority priority, long end, AtomicInteger answered, AtomicInteger refused) {
        Thread client = new Thread(() -> {
            while (System.nanoTime() < end) {
                try {
                    (own.status("/sleeps/40", priority) == 200 ? answered : refused).incrementAndGet();
                } catch (IOException | InterruptedException e) {
                    return;
                }
            }
        });
        client.setDaemon(true);
        client.start();
        return client;
    }

    @Test
    void requestsThatWaitForOthersAreNotThisServersQueue() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        ServletApp.Controller.downstream = answer;
        List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
        try (Served own = new Served(
                ServletApp.class,
                WebApplicationType.SERVLET,
                "server.tomcat.threads.max=2",
                "aether.server.objective=2s")) {
            for (int i = 0; i < 2 * ServerLoad.COLD; i++) {
                own.get("/context");
            }
            for (int i = 0; i < 20; i++) {
                waiting.add(own.later("/calls"));
            }
            await().untilAsserted(
                            () -> assertThat(own.bean(OwnQueue.class).waiting()).isGreaterThan(10));
            assertThat(own.bean(ServerLoad.class).downstream()).isEqualTo(2);
            TimeUnit.MILLISECONDS.sleep(300);
            answer.countDown();
            // Twenty calls of 300 ms, and hardly any of it is this server's own time.
            assertThat(waiting)
                    .allSatisfy(one -> assertThat(one.join().statusCode()).isEqualTo(200));
            assertThat(own.bean(ServerLoad.class).workerTime().nanos()).isLessThan(30e6);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import io.aether.agent.AgentApplication;
import io.aether.agent.stream.Subscriber;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** From a stopped process through the table to a subscriber of the stream. */
@RequiresKernel
@ExtendWith(SharedWatch.class)
@Timeout(120)
class StreamIT {
    private static final int ROUNDS = 50;
    private static final long MILLI = 1_000_000;

    @TempDir
    Path directory;

    private final BlockingQueue<Subscriber.Event> events = new LinkedBlockingQueue<>();
    private final List<Long> delays = new ArrayList<>();
    private final List<Long> wakeUps = new ArrayList<>();

    @Test
    void tellsAStoppedServerSoonAfterTheTable(Cable cable) throws Exception {
        try (ConfigurableApplicationContext agent = start();
                Traffic server = new Traffic(cable.server());
                Traffic client = new Traffic(cable.client());
                Subscriber subscriber = new Subscriber(port(agent), "")) {
            server.tell("mode echo");
            int port = Integer.parseInt(server.tell("listen * 0"));
            String id = client.tell("connect " + Cable.SERVER + " " + port);
            client.tell("ping " + id + " 50");
            assertThat(subscriber.next().name()).isEqualTo("hello");
            read(subscriber);
            for (int i = 0; i < ROUNDS; i++) {
                long before = System.nanoTime();
                server.freeze();
                try {
                    client.tell("send " + id + " 100");
                    Subscriber.Event stalled = await(port, "stalled");
                    assertThat(JsonPath.<Long>read(stalled.data(), "$.monotonicNanos"))
                            .isBetween(before, stalled.receivedNanos());
                    assertThat(JsonPath.<Integer>read(stalled.data(), "$.values.stallAgeMicros"))
                            .isGreaterThanOrEqualTo(10_000);
                } finally {
                    server.thaw();
                }
                await(port, "cleared");
                sleep();
            }
        }
        System.out.printf(
                "table to subscriber, %d events: median %d us, P90 %d us, worst %d us; a thread wakes up after %d us%n",
                delays.size(),
                at(delays, 0.5) / 1000,
                at(delays, 0.9) / 1000,
                at(delays, 1) / 1000,
                at(wakeUps, 0.5) / 1000);
        // Three threads wake up one after the other on the way: under a millisecond where nothing else runs.
        assertThat(at(delays, 0.5)).isLessThan(50 * MILLI);
    }

    /** How long a thread takes to run once it may, while all else goes on. */
    private void sleep() {
        for (int i = 0; i < 4; i++) {
            long before = System.nanoTime();
            LockSupport.parkNanos(MILLI);
            wakeUps.add(System.nanoTime() - before - MILLI);
        }
    }

    private static long at(List<Long> values, double share) {
        values.sort(null);
        return values.get((int) Math.min(values.size() - 1L, Math.round(share * values.size())));
    }

    /** Reads all the time, whatever the test is about, so that the time of receipt is none of its own. */
    private void read(Subscriber subscriber) {
        Thread reader = new Thread(() -> {
            try {
                while (true) {
                    events.add(subscriber.next());
                }
            } catch (IOException ended) {
                // The test is over.
            }
        });
        reader.setDaemon(true);
        reader.start();
    }

    /** The event of the local endpoint; those of its peers come with it and are measured too. */
    private Subscriber.Event await(int port, String name) throws InterruptedException {
        while (true) {
            Subscriber.Event event = events.poll(20, TimeUnit.SECONDS);
            assertThat(event).as(name).isNotNull();
            if (JsonPath.<Integer>read(event.data(), "$.endpoint.port") != port) {
                continue;
            }
            delays.add(event.receivedNanos() - JsonPath.<Long>read(event.data(), "$.monotonicNanos"));
            boolean local = JsonPath.read(event.data(), "$.endpoint.kind").equals("local");
            if (local && event.name().equals(name)) {
                return event;
            }
        }
    }

    private ConfigurableApplicationContext start() {
        return SpringApplication.run(
                AgentApplication.class,
                "--server.port=0",
                "--aether.agent.table-path=" + directory.resolve("health"),
                "--aether.agent.cgroup=" + Area.directory());
    }

    private static int port(ConfigurableApplicationContext agent) {
        return agent.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }
}

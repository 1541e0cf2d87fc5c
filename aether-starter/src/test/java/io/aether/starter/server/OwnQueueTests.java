// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.limit.Priority;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OwnQueueTests {

    private final FakeClock clock = new FakeClock();
    private final ServerLoad load = new ServerLoad();
    private final OwnQueue queue = new OwnQueue(load, new CpuQueue(load, () -> 0, () -> 0, 2), clock);
    private int waiting;

    /** Four threads, each of which takes 20 ms for a request: one is begun every 5 ms. */
    @BeforeEach
    void fourThreads() {
        load.workerTime().observe(20e6);
        queue.workedBy(new Workers() {
            @Override
            public int waiting() {
                return waiting;
            }

            @Override
            public int most() {
                return 4;
            }
        });
        begin();
    }

    private void begin() {
        new ServerRequest(load, clock).begin();
    }

    private double millis(Priority priority) {
        return queue.arrive(priority, null, clock.nanos()) / 1e6;
    }

    @Test
    void theWaitIsThatOfTheRequestsBefore() {
        assertThat(millis(Priority.CRITICAL)).isZero();
        waiting = 16;
        assertThat(millis(Priority.CRITICAL)).isEqualTo(80);
        assertThat(queue.waitNanos(clock.nanos())).isEqualTo(80e6);
        assertThat(queue.waiting()).isEqualTo(16);
    }

    @Test
    void threadsAreNotKeptIdleByAQueueOfRequestsThatWillBeRefused() {
        waiting = 1000;
        assertThat(millis(Priority.CRITICAL)).isEqualTo(5000);
        clock.pass(5);
        assertThat(millis(Priority.DEGRADED)).isEqualTo(5000);
        assertThat(millis(Priority.CRITICAL)).isZero();
        assertThat(millis(Priority.CRITICAL)).isEqualTo(5000); // The turn is taken.
        clock.pass(19);
        assertThat(millis(Priority.BULK)).isEqualTo(5000);
        clock.pass(1);
        assertThat(millis(Priority.BULK)).isZero();
        assertThat(queue.waitNanos(clock.nanos())).isEqualTo(5000e6);
    }

    @Test
    void whoIsLetInTakesTheTurn() {
        waiting = 1000;
        clock.pass(5);
        begin();
        assertThat(millis(Priority.CRITICAL)).isEqualTo(5000);
    }

    @Test
    void aLoopsQueueCountsForItsOwnRequestsAndOnTheAverageForAllOnceTheServerIsWarm() {
        Queue<Runnable> tasks = new ArrayDeque<>();
        ExecutorLag busy = queue.lagOf(tasks::add);
        ExecutorLag idle = queue.lagOf(Runnable::run);
        clock.pass(10);
        for (int i = 0; i < 5; i++) {
            queue.arrive(Priority.CRITICAL, busy, clock.nanos());
            clock.pass(20);
        }
        assertThat(queue.arrive(Priority.CRITICAL, busy, clock.nanos())).isZero();
        for (int i = 0; i < ServerLoad.COLD; i++) {
            ServerRequest request = new ServerRequest(load, clock);
            request.begin();
            request.end(true);
        }
        assertThat(queue.arrive(Priority.CRITICAL, busy, clock.nanos())).isEqualTo(100e6);
        assertThat(queue.arrive(Priority.CRITICAL, idle, clock.nanos())).isZero();
        assertThat(queue.waitNanos(clock.nanos())).isEqualTo(50e6);
    }
}

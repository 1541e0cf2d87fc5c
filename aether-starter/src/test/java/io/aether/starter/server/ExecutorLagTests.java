// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class ExecutorLagTests {

    private final FakeClock clock = new FakeClock();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final ExecutorLag lag = new ExecutorLag(tasks::add, clock);

    /** A request comes, and the executor begins new tasks after so long. */
    private void round(double millis) {
        lag.ask(clock.nanos());
        clock.pass(millis);
        Runnable task = tasks.poll();
        if (task != null) {
            task.run();
        }
    }

    private double waitMillis() {
        return lag.waitNanos(clock.nanos()) / 1e6;
    }

    @Test
    void nothingIsKnownBeforeTheFirstRequest() {
        assertThat(waitMillis()).isZero();
    }

    @Test
    void whatTwoTasksInARowWaitedIsTheQueue() {
        round(80);
        assertThat(waitMillis()).isZero();
        round(90);
        assertThat(waitMillis()).isEqualTo(80);
        round(70);
        assertThat(waitMillis()).isEqualTo(70);
    }

    @Test
    void onePauseIsNoQueue() {
        round(5);
        round(300);
        assertThat(waitMillis()).isEqualTo(5);
        round(5);
        assertThat(waitMillis()).isEqualTo(5);
    }

    @Test
    void aPauseBetweenRequestsIsNoQueueHoweverLong() {
        round(0);
        clock.pass(10);
        lag.ask(clock.nanos());
        clock.pass(2000);
        assertThat(waitMillis()).isZero();
    }

    @Test
    void requestsBegunOneAfterTheOtherAreOneAtOnce() {
        lag.ask(clock.nanos());
        for (int i = 0; i < 4; i++) {
            clock.pass(20);
            lag.ask(clock.nanos());
        }
        assertThat(waitMillis()).isEqualTo(80);
        clock.pass(20);
        tasks.remove().run();
        assertThat(waitMillis()).isEqualTo(100);
    }

    @Test
    void oldWaitsSayNothing() {
        round(80);
        round(80);
        clock.pass(200);
        assertThat(waitMillis()).isZero();
        round(80);
        assertThat(waitMillis()).isZero();
    }

    @Test
    void oneTaskIsUnderWayAtMost() {
        clock.pass(10);
        for (int i = 0; i < 100; i++) {
            lag.ask(clock.nanos());
        }
        assertThat(tasks).hasSize(1);
        tasks.remove().run();
        lag.ask(clock.nanos());
        assertThat(tasks).isEmpty(); // Within 2 ms.
        clock.pass(3);
        lag.ask(clock.nanos());
        assertThat(tasks).hasSize(1);
    }

    @Test
    void anExecutorThatShutsDownHarmsNobody() {
        ExecutorLag closed = new ExecutorLag(
                task -> {
                    throw new RejectedExecutionException();
                },
                clock);
        clock.pass(10);
        closed.ask(clock.nanos());
        clock.pass(500);
        assertThat(closed.waitNanos(clock.nanos())).isZero();
    }
}

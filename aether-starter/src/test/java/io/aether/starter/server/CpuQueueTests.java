// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CpuQueueTests {

    private static final int PROCESSORS = 4;

    private final FakeClock clock = new FakeClock();
    private final ServerLoad load = new ServerLoad();
    private final List<ServerRequest> inFlight = new ArrayList<>();
    private long cpuNanos;
    private double usage;
    private final CpuQueue queue = new CpuQueue(load, () -> cpuNanos, () -> usage, PROCESSORS);

    /** A tenth of a second in which so many requests are answered, each for so much CPU, with so many in flight at its end. */
    private void tick(int answered, double cpuMillisEach, double used, int left) {
        for (int i = 0; i < answered; i++) {
            ServerRequest request = new ServerRequest(load, clock);
            request.begin();
            request.end(true);
        }
        while (inFlight.size() < left) {
            ServerRequest request = new ServerRequest(load, clock);
            request.begin();
            inFlight.add(request);
        }
        while (inFlight.size() > left) {
            inFlight.remove(0).end(true);
        }
        cpuNanos += (long) (answered * cpuMillisEach * 1e6);
        usage = used;
        clock.pass(100);
        queue.tick(clock.nanos());
    }

    @Test
    void requestsThatSleepOnAnIdleServerAreNoQueue() {
        for (int i = 0; i < 50; i++) {
            tick(100, 0.2, 0.2, 5000);
        }
        assertThat(queue.waitNanos()).isZero();
        assertThat(queue.waiting()).isZero();
    }

    @Test
    void whatIsMoreThanTheCpusCanRunWaitsForWhatTheOthersCost() {
        for (int i = 0; i < 10; i++) {
            tick(20, 20, 1, 104);
        }
        assertThat(queue.waiting()).isBetween(95.0, 100.0); // The first looks did not see busy CPUs yet.
        assertThat(queue.waitNanos()).isCloseTo(100 * 20e6 / PROCESSORS, within(0.15 * 500e6));
    }

    @Test
    void whoWaitsForOtherServicesNeedsNoCpu() {
        for (int i = 0; i < 10; i++) {
            tick(20, 20, 1, 104);
        }
        inFlight.forEach(ServerRequest::callBegins);
        assertThat(queue.waitNanos()).isZero();
    }

    @Test
    void whatIsUsuallyInFlightIsTakenOff() {
        for (int i = 0; i < 300; i++) {
            tick(100, 1, 0.5, 1000); // Streams, or timers.
        }
        for (int i = 0; i < 10; i++) {
            tick(380, 1, 1, 1004);
        }
        assertThat(queue.waiting()).isLessThan(20);
        tick(380, 1, 1, 1400);
        assertThat(queue.waitNanos()).isCloseTo(400 * 1e6 / PROCESSORS, within(15e6));
    }

    @Test
    void aMomentsUseIsNoOverload() {
        tick(20, 1, 0.3, 10);
        tick(100, 1, 1, 100);
        assertThat(queue.waitNanos()).isZero();
    }

    @Test
    void whoHasAnsweredLittleSaysNothing() {
        for (int i = 0; i < 10; i++) {
            tick(1, 400, 1, 50);
        }
        assertThat(queue.waitNanos()).isZero();
    }

    @Test
    void unknownUseOrTimesCountAsNothing() {
        for (int i = 0; i < 10; i++) {
            tick(50, 20, Double.NaN, 100);
        }
        assertThat(queue.waitNanos()).isZero();
        for (int i = 0; i < 10; i++) {
            tick(50, 20, -1, 100);
        }
        assertThat(queue.waitNanos()).isZero();
        cpuNanos = -1; // Unknown from now on, or a clock that goes back.
        queue.tick(clock.nanos());
        queue.tick(clock.nanos() - 5);
        assertThat(queue.waitNanos()).isZero();
    }

    @Test
    void theQueueEndsWhenTheCpusAreFreeAgain() {
        for (int i = 0; i < 10; i++) {
            tick(20, 20, 1, 104);
        }
        tick(20, 20, 0.4, 50);
        assertThat(queue.waitNanos()).isZero();
    }
}

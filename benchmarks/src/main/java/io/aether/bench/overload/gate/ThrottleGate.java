// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload.gate;

import io.aether.core.NanoClock;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Client-side adaptive throttling: a request is not sent with the probability {@code max(0, (requests - K accepts) /
 * (requests + 1))}, where requests are all that were to be sent lately and accepts those that the server took. After
 * <a href="https://sre.google/sre-book/handling-overload/">Site Reliability Engineering, Handling Overload</a>, with its
 * K of 2. "Lately" are ten seconds here and two minutes there: longer than a bout, they would help nobody.
 */
final class ThrottleGate implements Gate, Gate.Pass {
    private static final double K = 2;
    private static final int SECONDS = 10;

    private final NanoClock clock;
    private final int[] requests = new int[SECONDS];
    private final int[] accepts = new int[SECONDS];
    private long second = Long.MIN_VALUE;
    private int allRequests;
    private int allAccepts;

    ThrottleGate(NanoClock clock) {
        this.clock = clock;
    }

    @Override
    public synchronized @Nullable Pass ask() {
        int now = turn();
        double refuse = (allRequests - K * allAccepts) / (allRequests + 1);
        requests[now]++;
        allRequests++;
        return ThreadLocalRandom.current().nextDouble() < refuse ? null : this;
    }

    @Override
    public synchronized void answered() {
        accepts[turn()]++;
        allAccepts++;
    }

    @Override
    public void refused() {}

    /** The index of the present second; the oldest ones are forgotten. */
    private int turn() {
        long now = clock.nanos() / 1_000_000_000L;
        for (long passed = Math.max(second + 1, now - SECONDS + 1); passed <= now; passed++) {
            int index = (int) (passed % SECONDS);
            allRequests -= requests[index];
            allAccepts -= accepts[index];
            requests[index] = 0;
            accepts[index] = 0;
        }
        second = Math.max(second, now);
        return (int) (second % SECONDS);
    }
}

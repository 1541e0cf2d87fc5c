// SPDX-License-Identifier: Apache-2.0
package io.aether.core.limit;

/**
 * A server's mean service time, and from it how long a request that comes now would wait. Quick on purpose: with a slow
 * mean, a server that becomes three times slower believes for seconds in a queue a third of what it is.
 *
 * <p>Thread-safe. Concurrent samples may lose one another; it is a mean.
 */
public final class ServiceTime {
    /** 32 samples: 12 % of spread when the service times' variation is 1, and a step is followed within 50 answers. */
    static final double WEIGHT = 1.0 / 32;
    /** One sample cannot be a thousand others. */
    private static final double MOST_TIMES = 20;

    private volatile double nanos;

    /** Starts from a guess, replaced at the first sample if it is 0. */
    public ServiceTime(double guessNanos) {
        this.nanos = guessNanos > 0 && guessNanos < Double.MAX_VALUE ? guessNanos : 0;
    }

    /** A request took {@code sampleNanos} of a worker: from its start to its end, without waits for downstream calls. */
    public void observe(double sampleNanos) {
        double current = nanos;
        if (!(sampleNanos >= 0) || sampleNanos == Double.POSITIVE_INFINITY) {
            return;
        }
        nanos = current == 0 ? sampleNanos : current + WEIGHT * (Math.min(sampleNanos, MOST_TIMES * current) - current);
    }

    /** The mean in ns; 0 while nothing is known. */
    public double nanos() {
        return nanos;
    }

    /** What a request would wait behind {@code waiting} others before one of {@code workers} takes it, in ns. */
    public double waitNanos(long waiting, int workers) {
        return waiting <= 0 ? 0 : nanos * waiting / Math.max(1, workers);
    }
}

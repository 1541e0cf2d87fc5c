// SPDX-License-Identifier: Apache-2.0
package io.aether.core.limit;

/**
 * A server's mean service time, and from it how long a request that comes now would wait.
 *
 * <p>Two means: a calm one, because the hard limit of the queue hangs on it and its noise would refuse requests; and a
 * quick one that counts when the two disagree, because with a calm one alone a server that becomes three times slower
 * believes for seconds in a queue a third of what it is.
 *
 * <p>Thread-safe. Concurrent samples may lose one another; it is a mean.
 */
public final class ServiceTime {
    /** 256 samples: 4 % of spread when the service times' variation is 1. */
    static final double CALM = 1.0 / 256;
    /** 32 samples: 13 % of spread; a server three times slower is noticed within 9 answers. */
    static final double QUICK = 1.0 / 32;
    /** Four times the quick mean's spread: with three, one estimate in fifty was half again too long, and refused. */
    static final double DISAGREE = 1.5;
    /** One sample cannot be a thousand others. */
    private static final double MOST_TIMES = 20;

    private volatile double calm;
    private volatile double quick;

    /** Starts from a guess, replaced at the first sample if it is 0. */
    public ServiceTime(double guessNanos) {
        calm = guessNanos > 0 && guessNanos < Double.MAX_VALUE ? guessNanos : 0;
        quick = calm;
    }

    /** A request took {@code sampleNanos} of a worker: from its start to its end, without waits for downstream calls. */
    public void observe(double sampleNanos) {
        if (!(sampleNanos >= 0) || sampleNanos == Double.POSITIVE_INFINITY) {
            return;
        }
        double steady = calm;
        double latest = quick;
        if (steady == 0) {
            steady = sampleNanos;
            latest = sampleNanos;
        }
        double sample = Math.min(sampleNanos, MOST_TIMES * nanos(steady, latest));
        calm = steady + CALM * (sample - steady);
        quick = latest + QUICK * (sample - latest);
    }

    /** The mean in ns; 0 while nothing is known. */
    public double nanos() {
        return nanos(calm, quick);
    }

    private static double nanos(double steady, double latest) {
        boolean changed = latest > steady * DISAGREE || latest * DISAGREE < steady;
        return changed ? latest : steady;
    }

    /** What a request would wait behind {@code waiting} others before one of {@code workers} takes it, in ns. */
    public double waitNanos(long waiting, int workers) {
        return waiting <= 0 ? 0 : nanos() * waiting / Math.max(1, workers);
    }
}

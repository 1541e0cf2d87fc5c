// SPDX-License-Identifier: Apache-2.0
package io.aether.core.score;

/**
 * What a server's latest answers took it, for its own word of its load: a mean over about 32 of them, which notices a server three
 * times slower within 9 and errs by 13 % when times vary as much as their mean. Where answers are few it is over some fifteen
 * seconds: a server that recovered is tried now and then, and must not tell of 31 answers of the time before that.
 * Thread-safe; concurrent samples may lose one another.
 */
public final class AnswerTime {
    static final double WEIGHT = 1.0 / 32;
    /** As long as a client remembers what no answer confirms. */
    private static final double PER_TAU = 1 / 15e9;

    private volatile long word;

    /** An answer took so long, with all that it waited for. */
    public void observe(long nanos, long now) {
        word = Latency.pack(Math.max(1, with(nanos, now)), now);
    }

    /** The mean in ns as it would be with one more answer. */
    public double with(long nanos, long now) {
        long known = word;
        if (known == 0) {
            return nanos;
        }
        double mean = Latency.raw(known);
        double weight = Math.max(WEIGHT, 1 - Latency.decay(Latency.ageNanos(known, now) * PER_TAU));
        return mean + weight * (nanos - mean);
    }
}

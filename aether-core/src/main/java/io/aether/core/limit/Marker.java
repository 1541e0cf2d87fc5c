// SPDX-License-Identifier: Apache-2.0
package io.aether.core.limit;

/**
 * When a server marks what it answers: with a probability that rises with its own queue, times the square of what the
 * client takes of it. Who takes more is marked more, and that is what makes the limits of the clients equal.
 *
 * <p>A ramp, and not CoDel's schedule: CoDel marks so many packets a second however many there are, and the share of
 * marked packets then says nothing. The reference for the kernel's integer version. Pure and thread-safe.
 */
public final class Marker {
    /** Below it, a queue is the noise of arrivals. */
    static final double LEAST_LOW_NANOS = 5e6;

    static final double LEAST_HIGH_NANOS = 20e6;
    /** Of the service level objective, what may be spent on waiting: the hard limit. */
    public static final double OBJECTIVE_SHARE = 0.4;
    /** Of the hard limit, the queue from which on all is marked: below, so that marks are heard before refusals begin. */
    public static final double ALL_SHARE = 0.75;

    private final double lowNanos;
    private final double highNanos;

    /** A ramp from {@code lowNanos} to {@code highNanos} of queue. */
    public Marker(double lowNanos, double highNanos) {
        if (!(lowNanos >= 0) || !(highNanos > lowNanos)) {
            throw new IllegalArgumentException(
                    "a ramp needs 0 <= low < high, has low " + lowNanos + " and high " + highNanos);
        }
        this.lowNanos = lowNanos;
        this.highNanos = highNanos;
    }

    /** The ramp for a service with this mean service time and objective. */
    public static Marker of(double meanServiceNanos, double objectiveNanos) {
        double low = Math.max(LEAST_LOW_NANOS, meanServiceNanos);
        double high = Math.max(LEAST_HIGH_NANOS, ALL_SHARE * OBJECTIVE_SHARE * objectiveNanos);
        // A service whose mean is beyond its objective's share marks nearly at once; it cannot keep it anyway.
        return new Marker(Math.min(low, 0.9 * high), high);
    }

    /** 0 up to the low end, 1 from the high end on. */
    public double ramp(double queueNanos) {
        double share = (queueNanos - lowNanos) / (highNanos - lowNanos);
        return share > 0 ? Math.min(1, share) : 0;
    }

    /**
     * The probability of marking a packet.
     *
     * @param queueNanos the server's own queue at this moment, without what it waits for downstream
     * @param packets what the client got in the last full {@link ClientShares#EPOCH_NANOS}
     * @param meanPackets the mean of that over the clients of that time; 0 if there were none
     */
    public double probability(double queueNanos, double packets, double meanPackets) {
        // Squared: a client that wants a little less than its share is then hardly marked, and not held below what it
        // wants.
        double weight = meanPackets > 0 ? Math.max(0, packets) / meanPackets : 1;
        double probability = ramp(queueNanos) * weight * weight;
        return probability > 0 ? Math.min(1, probability) : 0;
    }
}

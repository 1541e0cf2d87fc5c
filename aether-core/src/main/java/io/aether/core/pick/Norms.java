// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

/**
 * What is usual in a fleet now, for judging its instances by. Replaced ten times a second while answers come, never by a
 * pick. Immutable.
 *
 * @param medianNanos of the measured estimates, the lower one of two; 0 while nobody has answered
 * @param spread estimates within this many times the median, either way, count as the median
 * @param perCeiling one over the highest estimate that counts as the median, so that picks multiply
 * @param perFactor one over the median of the kernel's health factors: what all suffer alike says nothing about any
 * @param hotAbove requests in flight above which an instance is hot
 * @param perForget one over the time in which an estimate that no answer confirms is forgotten, in ns
 * @param told what its servers say of themselves
 */
record Norms(
        double medianNanos,
        double spread,
        double perCeiling,
        float perFactor,
        int hotAbove,
        double perForget,
        Told told) {

    /**
     * Samples are taken to vary as much as their mean, as the latencies of most services do; an estimate then has a
     * standard error of {@code sqrt(w / (2 - w))} of itself when a sample weighs w. Thrice that is what chance explains:
     * who is outside gets no samples that could put it right.
     */
    private static final double ERRORS = 3;

    /** Below, queues differ by chance, and requests in flight tell them better. */
    private static final double LEAST_SPREAD = 1.5;

    private static final double MOST_SPREAD = 2;

    /**
     * An estimate lasts as long as an even share of the traffic would take to bring this many answers, so that trying
     * those who were slow long ago costs one request in fifty or less, at any rate.
     */
    private static final double ANSWERS_TO_FORGET = 20;

    static final double LEAST_FORGET_NANOS = 15e9;
    private static final double MOST_FORGET_NANOS = 300e9;

    static Norms unknown(int hotAbove) {
        return new Norms(0, MOST_SPREAD, 0, 1, hotAbove, 1 / LEAST_FORGET_NANOS, Told.NOTHING);
    }

    /**
     * @param gapNanos mean time between two answers of one instance; infinite when unknown
     * @param tauNanos the estimate's time constant
     */
    static Norms of(double median, double gapNanos, double tauNanos, float factor, int hotAbove, Told told) {
        double weight = 1 - Math.exp(-gapNanos / tauNanos);
        double error = Math.sqrt(weight / (2 - weight));
        double spread = Math.max(LEAST_SPREAD, Math.min(MOST_SPREAD, 1 + ERRORS * error));
        double forget = Math.max(LEAST_FORGET_NANOS, Math.min(MOST_FORGET_NANOS, ANSWERS_TO_FORGET * gapNanos));
        return new Norms(
                median, spread, median > 0 ? 1 / (median * spread) : 0, 1 / factor, hotAbove, 1 / forget, told);
    }

    /**
     * An estimate without its spread: what chance explains is taken for the median, and what lies below is moved by that
     * much towards it. What lies above counts {@code (estimate / ceiling)^2} times: a request that goes to a slow instance
     * because others have a few in flight is slow for certain, while a few in flight are a queue only if there are more
     * of them than workers, which no client knows. Where servers tell how many are in flight in them these numbers differ
     * more, and what lies above counts to the third power.
     */
    double ranked(double estimate) {
        if (perCeiling == 0) {
            return estimate;
        }
        if (estimate <= medianNanos) {
            return Math.min(medianNanos, estimate * spread);
        }
        double times = Math.max(1, estimate * perCeiling);
        return medianNanos * times * times * (told.nothing() ? 1 : times);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import io.aether.core.score.Heard;
import io.aether.core.score.Latency;
import java.util.Arrays;

/**
 * What the servers of a fleet say of themselves on the whole, and what one's word means beside that: requests that others have
 * in flight with it, and how much longer than usual its answers take, as all of its clients together see it. Where a client sends
 * each server a few requests a second its own figures say little.
 *
 * @param inFlight the mean of the servers' requests in flight; negative when none tells
 * @param perNanos one over the median time of an answer; 0 when none tells
 */
record Told(double inFlight, double perNanos) {
    static final Told NOTHING = new Told(-1, 0);

    /**
     * A request of one's own counts more than one that a server told of: it is there for certain, while the told number is old,
     * and as many other clients that heard the same are about to send one too. C3 counts it as often as there are clients,
     * which no client knows.
     */
    private static final double OWN = 6;

    /** A count of requests in flight is drawn to the usual one with this time constant. */
    private static final double PER_COUNT_TAU = 1 / 1e9;
    /** A server that is slow is so for longer than its queue is as long as it was. */
    private static final double PER_TIME_TAU = 1 / 5e9;
    /** Three standard errors of a mean over 32 answers, and what queues differ by. */
    private static final double SPREAD = 1.5;
    /** Nobody is slower or fuller than that many times for long, see {@link Latency#at}. */
    private static final double MOST = 10;
    /** Words older than that do not make the means. */
    private static final double RECENT_NANOS = 10e9;

    /** Of some servers' latest words. Sorts what it is given. */
    static Told of(float[] inFlight, float[] nanos, int count) {
        if (count == 0) {
            return NOTHING;
        }
        Arrays.sort(inFlight, 0, count);
        Arrays.sort(nanos, 0, count);
        double usual = nanos[(count - 1) / 2];
        double most = most(inFlight[(count - 1) / 2]);
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += Math.min(most, inFlight[i]);
        }
        return new Told(sum / count, usual > 0 ? 1 / usual : 0);
    }

    /** More than that says no more: whoever claims a million is asked again soon, and moves no mean. */
    private static double most(double usual) {
        return MOST * (usual + 1);
    }

    static boolean counts(long heard, long now) {
        return Heard.tellsInFlight(heard) && Heard.ageNanos(heard, now) < RECENT_NANOS;
    }

    boolean nothing() {
        return inFlight < 0;
    }

    /** The requests that one more has to share an instance with, itself included. */
    double crowd(int own, long heard, long now) {
        if (nothing()) {
            return own + 1.0;
        }
        double others = inFlight;
        if (Heard.tellsInFlight(heard)) {
            double age = Heard.ageNanos(heard, now) * PER_COUNT_TAU;
            others += (Math.min(most(inFlight), Heard.inFlight(heard)) - inFlight) * Latency.decay(age);
        }
        return 1 + OWN * own + others;
    }

    /** How many times as long as usual its answers take, squared beyond the spread; at least 1. */
    double slowness(long heard, long now) {
        double times = Math.min(MOST, Heard.nanos(heard) * perNanos);
        if (!(times > SPREAD)) {
            return 1;
        }
        double left = 1 + (times - 1) * Latency.decay(Heard.ageNanos(heard, now) * PER_TIME_TAU);
        double beyond = Math.max(1, left / SPREAD);
        return beyond * beyond;
    }
}

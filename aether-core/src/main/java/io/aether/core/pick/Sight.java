// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import io.aether.core.score.KernelScore;
import io.aether.core.table.EndpointHealth;

/**
 * What the kernel said of one instance when last asked, digested. Looked at again by the first pick that finds it older
 * than {@link #MOST_AGE_NANOS}, which bounds what a busy client pays without delaying what it sees by more than the table
 * itself does. Fields are written by whichever pick looks; each is whole, and one of a neighbouring look is as good.
 */
class Sight {
    static final long MOST_AGE_NANOS = 200_000;

    /** COLD's ordinal when the kernel has nothing against it. */
    int worst;
    /** Its requests lie unread. */
    boolean stalled;
    /** In [1, 4]. */
    float factor = 1;
    /** Time to first byte as the whole node sees it, 0 when unknown. */
    float nodeNanos;

    private long time;
    /** Until when an endpoint that was seen to listen no more is out; 0 when it was not, or has answered since. */
    private long goneUntil;

    Sight(long now) {
        forget(now);
    }

    void forget(long now) {
        time = now - MOST_AGE_NANOS - 1;
    }

    boolean old(long now) {
        long age = now - time;
        return age > MOST_AGE_NANOS || age < 0;
    }

    /**
     * Whoever listens after nobody did is a process that has just started: it is spared for a while, probed by one request,
     * and then let in as slowly as a new instance.
     */
    long goneUntil() {
        return goneUntil;
    }

    /** It listens again, and the time is over for which it was spared. */
    boolean returned(long now) {
        return goneUntil != 0 && now >= goneUntil;
    }

    void forgive() {
        goneUntil = 0;
    }

    /**
     * Digests a reading.
     *
     * @param latencyNanos what a request to it takes
     * @param spareNanos for how long it is spared when it is gone
     */
    void see(EndpointHealth health, long now, double latencyNanos, long spareNanos) {
        InstanceClass kind = InstanceClass.COLD;
        if (KernelScore.gone(health, now)) {
            kind = InstanceClass.EJECTED;
            goneUntil = now + spareNanos;
        } else if (KernelScore.degraded(health, now)) {
            kind = InstanceClass.DEGRADED;
        }
        worst = kind.rank;
        stalled = KernelScore.stalled(health, now);
        factor = (float) KernelScore.factor(health, now, latencyNanos);
        nodeNanos = (float) KernelScore.nodeLatency(health, now);
        time = now;
    }

    /** The kernel knows nothing: neutral. */
    void seeNothing(long now) {
        worst = InstanceClass.COLD.rank;
        stalled = false;
        factor = 1;
        nodeNanos = 0;
        time = now;
    }
}

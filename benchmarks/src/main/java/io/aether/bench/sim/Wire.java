// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim;

/** The network between clients and servers: delay, jitter, and for each server's link extra delay and loss. */
final class Wire {
    private static final double LEAST_NANOS = 100_000;
    private static final double JITTER_NANOS = 50_000;
    /** Linux's least retransmission timeout, doubled at every further loss. */
    private static final long RETRANSMIT_NANOS = 200 * Agenda.MILLI;

    private static final int MOST_LOSSES = 6;

    private final Chance chance;
    private final Plan plan;
    private final double[] loss;
    private final double[] extra;

    Wire(Chance chance, Plan plan) {
        this.chance = chance;
        this.plan = plan;
        this.loss = new double[plan.servers];
        this.extra = new double[plan.servers];
    }

    /** Makes a server's link bad: extra time each way and a share of lost segments. */
    void spoil(int server, double extraNanos, double lossShare) {
        extra[server] = extraNanos;
        loss[server] = lossShare;
    }

    int losses(int server) {
        int count = 0;
        while (count < MOST_LOSSES && chance.happens(loss[server])) {
            count++;
        }
        return count;
    }

    long oneWay(int client, int server, int losses) {
        long cross = plan.apart(client, server) ? plan.crossZoneNanos : 0;
        double queued = extra[server] == 0 ? 0 : chance.exponential(extra[server]);
        long retransmits = losses == 0 ? 0 : RETRANSMIT_NANOS * ((1L << losses) - 1);
        return (long) (LEAST_NANOS + chance.exponential(JITTER_NANOS) + queued) + cross + retransmits;
    }
}

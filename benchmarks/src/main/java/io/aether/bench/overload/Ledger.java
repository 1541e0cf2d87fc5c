// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload;

import io.aether.core.limit.Priority;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * What happened in a run, by tenths of a second and, in the steady part of the overload, by client and tier. Times are ns on
 * any one clock. Thread-safe.
 */
public final class Ledger {
    private static final long SLOT_NANOS = 100_000_000L;
    private static final int SECOND = 10;

    private final long start;
    private final long steadyFrom;
    private final long steadyTo;
    private final int[] wanted;
    private final int[] served;
    private final int[] good;
    private final int[] unserved;
    private final long[] clientWanted;
    private final long[] clientGood;
    private final Map<Priority, Integer> tierWanted = new EnumMap<>(Priority.class);
    private final Map<Priority, Integer> tierGood = new EnumMap<>(Priority.class);
    private long[] latencies = new long[1024];
    private int count;
    private long refused;

    /** For a run from {@code start} to {@code end}. */
    public Ledger(int clients, long start, long end, long steadyFrom, long steadyTo) {
        this.start = start;
        this.steadyFrom = steadyFrom;
        this.steadyTo = steadyTo;
        int slots = (int) ((end - start) / SLOT_NANOS) + 1;
        wanted = new int[slots];
        served = new int[slots];
        good = new int[slots];
        unserved = new int[slots];
        clientWanted = new long[clients];
        clientGood = new long[clients];
    }

    /** A client had a request to send. */
    public synchronized void wanted(int client, Priority priority, long now) {
        wanted[slot(now)]++;
        if (steady(now)) {
            clientWanted[client]++;
            tierWanted.merge(priority, 1, Integer::sum);
        }
    }

    /** ... and did not send it. */
    public synchronized void heldBack(long now) {
        unserved[slot(now)]++;
    }

    /** ... and the server refused it. */
    public synchronized void refused(long now) {
        unserved[slot(now)]++;
        refused += steady(now) ? 1 : 0;
    }

    /** ... and it was answered, {@code nanos} after it was to be sent. */
    public synchronized void served(int client, Priority priority, long nanos, long now) {
        boolean inTime = nanos <= Target.OBJECTIVE_NANOS;
        served[slot(now)]++;
        good[slot(now)] += inTime ? 1 : 0;
        if (!steady(now)) {
            return;
        }
        if (count == latencies.length) {
            latencies = Arrays.copyOf(latencies, 2 * count);
        }
        latencies[count++] = nanos;
        if (inTime) {
            clientGood[client]++;
            tierGood.merge(priority, 1, Integer::sum);
        }
    }

    /** Sums up, with the moments of the step and of its end. */
    public synchronized Outcome outcome(long step, long end) {
        double capacity = Target.CAPACITY * (steadyTo - steadyFrom) / 1e9;
        long[] sorted = Arrays.copyOf(latencies, count);
        Arrays.sort(sorted);
        double p99 = count == 0 ? Double.NaN : sorted[(int) (0.99 * (count - 1))] / 1e6;
        Map<Priority, Double> tiers = new EnumMap<>(Priority.class);
        tierWanted.forEach((tier, all) -> tiers.put(tier, (double) tierGood.getOrDefault(tier, 0) / all));
        double worst = 1;
        for (int i = 0; i < clientGood.length; i++) {
            double due = Math.min((double) clientWanted[i], capacity / clientGood.length);
            worst = Math.min(worst, clientGood[i] / Math.max(1, due));
        }
        return new Outcome(
                Arrays.stream(clientGood).sum() / capacity,
                p99,
                refused / capacity,
                jain(),
                backInTime(slot(step), slot(end)),
                fullDemand(slot(end)),
                worst,
                tiers);
    }

    private double jain() {
        double sum = 0;
        double squares = 0;
        for (long each : clientGood) {
            sum += each;
            squares += (double) each * each;
        }
        return squares == 0 ? 0 : sum * sum / (clientGood.length * squares);
    }

    /** Start of the first second after the step with 0.8 of capacity served and 95 % of it in time. */
    private double backInTime(int step, int end) {
        for (int i = step; i + SECOND <= end; i++) {
            int all = sum(served, i);
            int inTime = sum(good, i);
            if (inTime >= 0.8 * Target.CAPACITY && inTime >= 0.95 * all) {
                return (i - step) / 10.0;
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    /** Start of the first second after the overload in which 98 % of the demand is served, 95 % of it in time. */
    private double fullDemand(int end) {
        for (int i = end; i + SECOND < wanted.length; i++) {
            boolean inTime = sum(good, i) >= 0.95 * sum(served, i);
            if (inTime && sum(unserved, i) <= 0.02 * sum(wanted, i)) {
                return (i - end) / 10.0;
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    private static int sum(int[] slots, int from) {
        return Arrays.stream(slots, from, from + SECOND).sum();
    }

    private boolean steady(long now) {
        return now - steadyFrom >= 0 && now - steadyTo < 0;
    }

    /** For each tenth of a second: wanted, served, served in time, not served. */
    public synchronized int[][] slots() {
        return new int[][] {wanted.clone(), served.clone(), good.clone(), unserved.clone()};
    }

    private int slot(long now) {
        return (int) Math.max(0, Math.min((now - start) / SLOT_NANOS, wanted.length - 1));
    }
}

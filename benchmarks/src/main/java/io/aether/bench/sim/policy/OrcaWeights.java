// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim.policy;

import io.aether.core.Dice;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * gRPC's weighted round robin on ORCA reports (proposal A58): weight {@code qps / (utilisation + eps / qps)}, taken over
 * once a second; mean weight before 10 s of reports and after three minutes without; round robin with fewer than two
 * weights. Turns by earliest deadline, from random starts.
 */
public final class OrcaWeights implements Policy {
    private static final long UPDATE_NANOS = 1_000_000_000L;
    private static final long BLACKOUT_NANOS = 10 * UPDATE_NANOS;
    private static final long EXPIRY_NANOS = 180 * UPDATE_NANOS;

    private final Dice dice;
    private final Map<Integer, Report> reports = new HashMap<>();
    private int[] servers = {};
    private PriorityQueue<Turn> turns = new PriorityQueue<>();
    private Map<Integer, Double> weights = Map.of();
    private long updated;

    private static final class Report {
        double weight;
        long first;
        long last;
    }

    private record Turn(double deadline, int order, int server) implements Comparable<Turn> {
        @Override
        public int compareTo(Turn other) {
            return deadline == other.deadline
                    ? Integer.compare(order, other.order)
                    : Double.compare(deadline, other.deadline);
        }
    }

    public OrcaWeights(Dice dice) {
        this.dice = dice;
    }

    @Override
    public void list(int[] listed) {
        servers = listed;
        updated = 0;
    }

    @Override
    public int pick(long now) {
        if (updated == 0 || now - updated >= UPDATE_NANOS) {
            update(now);
        }
        Turn turn = Objects.requireNonNull(turns.poll());
        turns.add(new Turn(turn.deadline + 1 / weight(turn.server), turn.order, turn.server));
        return turn.server;
    }

    double weight(int server) {
        return weights.getOrDefault(server, 1.0);
    }

    private void update(long now) {
        updated = now;
        Map<Integer, Double> next = new HashMap<>();
        for (int server : servers) {
            Report report = reports.get(server);
            if (report != null && now - report.first >= BLACKOUT_NANOS && now - report.last < EXPIRY_NANOS) {
                next.put(server, report.weight);
            }
        }
        double mean = next.size() < 2
                ? 1
                : next.values().stream()
                        .mapToDouble(Double::doubleValue)
                        .average()
                        .orElse(1);
        boolean plain = next.size() < 2;
        Arrays.stream(servers).forEach(server -> next.merge(server, mean, (known, other) -> plain ? other : known));
        weights = next;
        schedule();
    }

    private void schedule() {
        PriorityQueue<Turn> next = new PriorityQueue<>(servers.length);
        for (int server : servers) {
            next.add(new Turn(dice.below(1 << 20) / (double) (1 << 20) / weight(server), dice.below(1 << 30), server));
        }
        turns = next;
    }

    @Override
    public void done(int server, long sent, long now, Ending ending, @Nullable Load load) {
        if (load == null || load.perSecond() <= 0 || load.utilisation() <= 0) {
            return;
        }
        Report report = reports.computeIfAbsent(server, key -> new Report());
        if (report.first == 0 || now - report.last >= EXPIRY_NANOS) {
            report.first = now;
        }
        report.last = now;
        report.weight = load.perSecond() / (load.utilisation() + load.errorsPerSecond() / load.perSecond());
    }
}

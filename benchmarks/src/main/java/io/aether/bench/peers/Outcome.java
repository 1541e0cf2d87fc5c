// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers;

import io.aether.bench.Report;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a run came to: rows {@code FAULT POLICY p99} and so on, and where Aether is not below a peer.
 *
 * @param all by fault and policy
 */
record Outcome(Map<Fault, Map<Policy, Samples>> all) {
    /** Later than this at P99 the generator is part of what was measured. */
    private static final double LATE_MILLIS = 5;

    /** Two blocks of one and the same differ by as much, and more. */
    private static final double TIED = 1.05;

    void addTo(Report report) {
        all.forEach((fault, policies) -> policies.forEach((policy, samples) -> {
            String name = fault.label() + " " + policy.label() + " ";
            report.add(name + "p50", samples.millis(50), "ms");
            report.add(name + "p90", samples.millis(90), "ms");
            report.add(name + "p99", samples.millis(99), "ms");
            report.add(name + "p999", samples.millis(99.9), "ms");
            report.add(name + "errors", samples.errorPercent(), "%");
        }));
    }

    /** Each as {@code FAULT OURS figure, PEER figure}. */
    List<String> losses() {
        List<String> losses = new ArrayList<>();
        all.forEach((fault, policies) -> policies.forEach((ours, samples) -> {
            if (ours.ours()) {
                policies.forEach((peer, theirs) -> {
                    if (!peer.ours()) {
                        compare(losses, fault, ours, samples, peer, theirs);
                    }
                });
            }
        }));
        return losses;
    }

    private static void compare(
            List<String> losses, Fault fault, Policy ours, Samples samples, Policy peer, Samples theirs) {
        for (double percentile : new double[] {99, 99.9}) {
            double mine = samples.millis(percentile);
            double other = theirs.millis(percentile);
            if (!(mine < other)) {
                losses.add(String.format(
                        Locale.ROOT,
                        "%s %s P%s %.1f ms, %s %.1f ms%s",
                        fault.label(),
                        ours.label(),
                        percentile == 99 ? "99" : "99.9",
                        mine,
                        peer.label(),
                        other,
                        mine <= TIED * other ? ": tied" : ""));
            }
        }
    }

    /** Nothing is claimed where nothing was compared. */
    private String summary(int losses) {
        boolean compared = all.values().stream()
                .anyMatch(policies -> policies.keySet().stream().anyMatch(Policy::ours)
                        && !policies.keySet().stream().allMatch(Policy::ours));
        if (!compared) {
            return "nothing to compare: no policy of Aether's met a peer";
        }
        return losses == 0 ? "below every peer in every case" : "not below a peer: " + losses + " cases";
    }

    void print(PrintStream out) {
        List<String> losses = losses();
        out.println();
        out.println(summary(losses.size()));
        losses.forEach(loss -> out.println("  " + loss));
        all.forEach((fault, policies) -> policies.forEach((policy, samples) -> {
            if (samples.lateMillis() > LATE_MILLIS) {
                out.printf(
                        Locale.ROOT,
                        "  the machine may be the bottleneck in %s %s: the generator was %.1f ms late at P99%n",
                        fault.label(),
                        policy.label(),
                        samples.lateMillis());
            }
        }));
    }
}

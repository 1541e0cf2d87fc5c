// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;

/** The figures as text for a terminal. */
final class Table {

    private static final double[] PERCENTILES = {50, 90, 99, 99.9};

    private Table() {}

    static String of(Collection<Figures> arms, Map<Fault, Map<Arm, Double>> shares) {
        StringBuilder text = new StringBuilder();
        line(
                text,
                "%-12s %8s %10s %10s %10s %10s %8s",
                "arm",
                "requests",
                "P50 ms",
                "P90 ms",
                "P99 ms",
                "P99.9 ms",
                "errors");
        arms.forEach(arm -> line(
                text,
                "%-12s %8d %10.1f %10.1f %10.1f %10.1f %8d",
                arm.arm().label(),
                arm.requests(),
                arm.millis(50),
                arm.millis(90),
                arm.millis(99),
                arm.millis(99.9),
                arm.errors()));
        against(text, "round robin", Arm.ROUND_ROBIN, arms);
        against(
                text,
                "kernel",
                Arm.KERNEL,
                arms.stream()
                        .filter(arm -> arm.arm().compareTo(Arm.KERNEL) >= 0)
                        .toList());
        shares(text, arms, shares);
        return text.toString();
    }

    private static void against(StringBuilder text, String name, Arm base, Collection<Figures> arms) {
        arms.stream().filter(arm -> arm.arm() == base).findFirst().ifPresent(found -> ratios(text, name, found, arms));
    }

    private static void ratios(StringBuilder text, String name, Figures base, Collection<Figures> arms) {
        if (arms.size() > 1) {
            line(text, "");
            line(text, "against " + name);
        }
        for (Figures arm : arms) {
            if (arm != base) {
                StringBuilder row =
                        new StringBuilder("%-21s".formatted(arm.arm().label()));
                for (double percentile : PERCENTILES) {
                    double ratio = arm.millis(percentile) / base.millis(percentile) - 1;
                    row.append(
                            Double.isFinite(ratio)
                                    ? String.format(Locale.ROOT, " %+9.0f%%", ratio * 100)
                                    : " %10s".formatted("-"));
                }
                row.append(String.format(Locale.ROOT, " %+8d", arm.errors() - base.errors()));
                text.append(row).append('\n');
            }
        }
    }

    private static void shares(StringBuilder text, Collection<Figures> arms, Map<Fault, Map<Arm, Double>> shares) {
        if (shares.isEmpty()) {
            return;
        }
        line(text, "");
        StringBuilder head = new StringBuilder("%-26s".formatted("share while faulty"));
        arms.forEach(arm -> head.append(" %12s".formatted(arm.arm().label())));
        text.append(head).append('\n');
        shares.forEach((fault, byArm) -> {
            StringBuilder row = new StringBuilder("%-26s".formatted(fault.instance() + " (" + fault.label() + ")"));
            arms.forEach(arm ->
                    row.append(String.format(Locale.ROOT, " %11.1f%%", 100 * byArm.getOrDefault(arm.arm(), 0.0))));
            text.append(row).append('\n');
        });
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency for one method
    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
    }
}

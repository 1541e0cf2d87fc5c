// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What this process may do: the bits of {@code CapEff} in proc(5), numbered as in {@code linux/capability.h}.
 *
 * @param effective the bits
 */
record Capabilities(long effective) {
    private static final String GROUP = "privileges";
    private static final int SYS_PTRACE = 19;
    private static final int SYS_ADMIN = 21;

    private static final List<Map.Entry<String, Integer>> TO_ATTACH =
            List.of(Map.entry("CAP_BPF", 39), Map.entry("CAP_PERFMON", 38), Map.entry("CAP_NET_ADMIN", 12));

    static Capabilities of(Host host) {
        return new Capabilities(host.lines("/proc/self/status").stream()
                .filter(line -> line.startsWith("CapEff:"))
                .mapToLong(line -> Long.parseUnsignedLong(
                        line.substring("CapEff:".length()).strip(), 16))
                .findFirst()
                .orElse(0));
    }

    private boolean has(int capability) {
        return (effective >>> capability & 1) != 0;
    }

    /** Whether names of other programs can be asked for. */
    boolean seesOthers() {
        return has(SYS_ADMIN);
    }

    /** Those for attaching that are missing. */
    List<String> lacking() {
        if (has(SYS_ADMIN)) {
            return List.of();
        }
        return TO_ATTACH.stream()
                .filter(capability -> !has(capability.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    List<Check> checks() {
        List<Check> checks = new ArrayList<>();
        List<String> lacking = lacking();
        checks.add(
                lacking.isEmpty()
                        ? Check.ok(GROUP, "to attach", "CAP_BPF, CAP_PERFMON and CAP_NET_ADMIN")
                        : Check.problem(
                                GROUP,
                                "to attach",
                                "this user lacks " + String.join(", ", lacking),
                                "run the agent (and this) as root or with CAP_BPF, CAP_PERFMON and CAP_NET_ADMIN"));
        checks.add(
                has(SYS_ADMIN) && has(SYS_PTRACE)
                        ? Check.ok(GROUP, "other namespaces", "CAP_SYS_ADMIN and CAP_SYS_PTRACE")
                        : Check.note(
                                GROUP,
                                "other namespaces",
                                "what is older than the agent, and accept queues, are seen in its own network namespace"
                                        + " only",
                                "CAP_SYS_ADMIN and CAP_SYS_PTRACE, if that is wanted"));
        checks.add(Check.ok(
                GROUP, "without", "applications that use the starter balance on their own signals, and say so"));
        return checks;
    }
}

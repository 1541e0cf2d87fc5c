// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.doctor;

import io.aether.agent.bpf.KernelInspection.Finding;
import java.util.List;
import java.util.Map;

/** What programs may be attached to, tried by loading one of two instructions each. */
final class HookChecks {
    private static final String GROUP = "hooks";

    /** Without these the agent sees nothing of sockets or queues. */
    private static final Map<String, String> NEEDED = Map.of(
            "sockops", "peers: flow, health",
            "tp_btf", "receive queues and run queues: queue, sched",
            "iter_tcp", "connections and listeners older than the agent");

    private HookChecks() {}

    static List<Check> checks(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.topic().equals("hook"))
                .map(HookChecks::check)
                .toList();
    }

    private static Check check(Finding finding) {
        String hook = finding.subject();
        String use = NEEDED.getOrDefault(hook, "");
        if (finding.state().equals("available")) {
            return Check.ok(GROUP, hook, "available");
        }
        if (finding.state().equals("denied")) {
            return Check.note(GROUP, hook, "not permitted to this user (" + finding.detail() + ")", "");
        }
        String value = "unsupported (" + finding.detail() + ")";
        return use.isEmpty()
                ? Check.note(GROUP, hook, value, "")
                : Check.problem(GROUP, hook, value, "a kernel that has it, for " + use);
    }
}

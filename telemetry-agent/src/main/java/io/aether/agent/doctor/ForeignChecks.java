// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.doctor;

import io.aether.agent.bpf.KernelInspection.Finding;
import java.util.ArrayList;
import java.util.List;

/** Programs of others, and of a running agent, at the hooks. */
final class ForeignChecks {
    private static final String GROUP = "programs at the hooks";

    private ForeignChecks() {}

    static List<Check> checks(List<Finding> findings, Capabilities capabilities) {
        if (capabilities.lacking().contains("CAP_NET_ADMIN")) {
            return List.of(Check.note(GROUP, "cgroups", "cannot be asked for without CAP_NET_ADMIN", ""));
        }
        List<Check> checks = new ArrayList<>();
        findings.stream()
                .filter(finding -> !finding.topic().equals("hook"))
                .map(ForeignChecks::check)
                .forEach(checks::add);
        if (checks.isEmpty()) {
            checks.add(Check.ok(GROUP, "all", "none"));
        }
        return checks;
    }

    private static Check check(Finding finding) {
        String value = finding.detail() + ", " + finding.state();
        String name = "at " + finding.subject();
        if (finding.topic().equals("xdp")) {
            return finding.detail().startsWith("aether_")
                    ? Check.ok(GROUP, name, value)
                    : Check.note(GROUP, name, value, "detach it before Aether's guard is attached to this interface");
        }
        if (!finding.state().equals("alone")) {
            return Check.ok(GROUP, name, value);
        }
        String fix = "attach that program with BPF_F_ALLOW_MULTI or a link, or watch another cgroup";
        return finding.subject().equals("sockops")
                ? Check.problem(GROUP, name, value, fix)
                : Check.note(GROUP, name, value, fix);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.doctor;

import io.aether.agent.bpf.KernelInspection;
import io.aether.agent.bpf.KernelInspection.Finding;
import io.aether.agent.bpf.ProbesUnavailableException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Everything the doctor looks at, in the order in which it is shown. */
final class Examination {
    private final Host host;
    private final DoctorOptions options;

    Examination(Host host, DoctorOptions options) {
        this.host = host;
        this.options = options;
    }

    List<Check> checks() {
        Capabilities capabilities = Capabilities.of(host);
        CgroupChecks cgroup = new CgroupChecks(host, options.cgroup());
        List<Check> checks = new ArrayList<>(KernelChecks.checks(host));
        List<Finding> findings = inspect(cgroup.watched(), checks);
        checks.addAll(HookChecks.checks(findings));
        checks.addAll(capabilities.checks());
        checks.addAll(cgroup.checks());
        checks.addAll(ForeignChecks.checks(findings, capabilities));
        checks.addAll(NetworkChecks.checks(host));
        checks.addAll(PinChecks.checks(host, options.pins(), capabilities));
        checks.addAll(AgentChecks.checks(options));
        return checks;
    }

    private static List<Finding> inspect(Path cgroup, List<Check> checks) {
        try {
            return KernelInspection.inspect(cgroup);
        } catch (ProbesUnavailableException e) {
            checks.add(Check.problem("kernel", "native library", e.reason(), e.fix()));
            return List.of();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import io.aether.agent.bpf.ControlSettings;
import io.aether.agent.bpf.KernelProbes;
import io.aether.agent.bpf.ProbeSettings;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Attaches everything once, in a process of its own whose privileges a test has cut, and says what came of it: for each
 * probe a line with name, state, reason and fix, between tabs. Arguments: the table and the cgroup.
 */
public final class AttachMain {
    private AttachMain() {}

    public static void main(String[] args) {
        try (KernelProbes probes = KernelProbes.open(
                ProbeSettings.defaults(Path.of(args[0]), Path.of(args[1])).withControl(ControlSettings.on()))) {
            probes.attach()
                    .forEach(status -> System.out.println(String.join(
                            "\t",
                            status.name(),
                            status.state().name().toLowerCase(Locale.ROOT),
                            status.reason(),
                            status.fix())));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import io.aether.agent.bpf.ControlSettings;
import io.aether.agent.bpf.KernelProbes;
import io.aether.agent.bpf.PinSettings;
import io.aether.agent.bpf.Pins;
import io.aether.agent.bpf.ProbeSettings;
import io.aether.agent.bpf.ProbeStatus;
import java.nio.file.Path;

/**
 * Probes in a process that can be killed. Arguments: the table, the cgroup, the directory of the pins, whether they stay
 * after a normal end. Prints one line for each probe (its state, what became of its pins, its programs' ids), what is
 * wrong with the pins, and then "ready"; ends when its input does. The congestion control is off unless a fifth argument is
 * there.
 */
public final class PinnedMain {
    private PinnedMain() {}

    public static void main(String[] args) throws Exception {
        ProbeSettings settings = ProbeSettings.defaults(Path.of(args[0]), Path.of(args[1]));
        if (args.length > 4) {
            settings = settings.withControl(ControlSettings.on());
        }
        try (KernelProbes probes = KernelProbes.open(settings)) {
            probes.pin(new PinSettings(Path.of(args[2]), Boolean.parseBoolean(args[3])));
            probes.attach();
            probes.startPump();
            Pins pins = probes.pins();
            probes.status().stream()
                    .filter(status -> status.state() != ProbeStatus.State.DISABLED)
                    .forEach(status -> System.out.println("probe " + status.name() + " " + status.state() + " "
                            + pins.probes().get(status.name()) + " "
                            + status.programs()));
            System.out.println("pins " + pins.reason());
            System.out.println("ready");
            while (System.in.read() >= 0) {
                // Until the test has had enough.
            }
        }
    }
}

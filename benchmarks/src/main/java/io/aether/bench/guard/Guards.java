// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.guard;

import io.aether.agent.bpf.Cidr;
import io.aether.agent.bpf.GuardInterface;
import io.aether.agent.bpf.GuardSettings;
import io.aether.agent.bpf.KernelGuard;
import io.aether.agent.bpf.ProbeStatus;
import io.aether.agent.bpf.ProbesUnavailableException;
import java.util.List;

/** Guards as the measurements need them. */
final class Guards {
    private static final int ENTRIES = 131_072;
    private static final int CONNECTIONS = 65_536;

    private Guards() {}

    /** One that is attached nowhere. */
    static KernelGuard loose(int synRate, int synBurst) {
        return open(new GuardSettings(List.of(), true, management(), synRate, synBurst, ENTRIES, CONNECTIONS, 0));
    }

    /** One on an interface, which must be in native mode to be worth measuring. */
    static KernelGuard on(String device, boolean enforce, int synRate, int synBurst) {
        KernelGuard guard = open(
                new GuardSettings(List.of(device), enforce, management(), synRate, synBurst, ENTRIES, CONNECTIONS, 0));
        guard.attach();
        GuardInterface one = guard.status().interfaces().get(0);
        if (one.state() != ProbeStatus.State.ATTACHED || !one.hook().equals("native")) {
            guard.close();
            throw new ProbesUnavailableException(one.reason(), one.fix());
        }
        return guard;
    }

    private static KernelGuard open(GuardSettings settings) {
        KernelGuard guard = KernelGuard.open(settings);
        KernelGuard.Status status = guard.status();
        if (status.state() != ProbeStatus.State.ATTACHED) {
            guard.close();
            throw new ProbesUnavailableException(status.reason(), status.fix());
        }
        return guard;
    }

    /** As an operator has them. */
    private static List<Cidr> management() {
        return List.of(Cidr.parse("10.0.0.0/8"), Cidr.parse("fd00::/8"));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.agent.bpf.GuardInterface;
import io.aether.agent.bpf.KernelGuard;
import io.aether.agent.bpf.ProbeStatus.State;
import java.util.List;
import org.junit.jupiter.api.Test;

class GuardServiceTests {

    private static String reason(String program, String... interfaces) {
        List<GuardInterface> all = List.of(interfaces).stream()
                .map(reason -> new GuardInterface("eth0", State.ATTACHED, "generic", reason, ""))
                .toList();
        KernelGuard.Status status = new KernelGuard.Status(State.ATTACHED, program, "", all);
        return GuardService.joined(program, status, GuardInterface::reason);
    }

    @Test
    void tellsWhatItsProgramLacksBesideWhatInterfacesLack() {
        assertThat(reason("without SYN cookies: no", "", "no native mode"))
                .isEqualTo("without SYN cookies: no; no native mode");
        assertThat(reason("", "")).isEmpty();
    }

    @Test
    void saysOnceWhyNothingCouldBeLoaded() {
        assertThat(reason("cannot load: no", "cannot load: no", "cannot load: no"))
                .isEqualTo("cannot load: no");
    }
}

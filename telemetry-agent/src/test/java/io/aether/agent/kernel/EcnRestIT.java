// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.table.EndpointHealth;
import org.junit.jupiter.api.Test;

/** The programs that see every segment for marks are there only while some connection can carry marks. */
@RequiresKernel
class EcnRestIT {
    private static final long SOON = 15_000;
    private static final String PROGRAM = "aether_ecn_out";

    @Test
    void restsWhileNoConnectionHasEcn() {
        try (Cable cable = new Cable()) {
            cable.server().set("net/ipv4/tcp_ecn", "1");
            cable.client().set("net/ipv4/tcp_ecn", "0");
            try (TrafficPair pair = TrafficPair.between(cable);
                    Watch watch = new Watch(pair.cgroup().directory(), settings -> settings)) {
                int port = Integer.parseInt(pair.server().tell("listen * 0"));
                assertThat(attached(pair)).as("at first").contains(PROGRAM);
                connect(pair, port);
                Shell.await(SOON, () -> !attached(pair).contains(PROGRAM), () -> attached(pair));

                cable.client().set("net/ipv4/tcp_ecn", "1");
                String id = connect(pair, port);
                Shell.await(SOON, () -> attached(pair).contains(PROGRAM), () -> attached(pair));
                pair.client().tell("ping " + id + " 50");
                Shell.await(
                        SOON,
                        () -> peer(watch, cable, port).ect >= 50 && watch.local(cable.server(), port).ect >= 50,
                        () -> "segments counted at both ends");
                assertThat(peer(watch, cable, port).ce).isZero();
            }
        }
    }

    private static EndpointHealth peer(Watch watch, Cable cable, int port) {
        return watch.peer(cable.client(), Cable.SERVER, port);
    }

    private static String connect(TrafficPair pair, int port) {
        String id = pair.client().tell("connect " + Cable.SERVER + " " + port);
        pair.client().tell("ping " + id + " 5");
        return id;
    }

    private static String attached(TrafficPair pair) {
        return Shell.run("bpftool", "cgroup", "show", pair.cgroup().directory().toString());
    }
}

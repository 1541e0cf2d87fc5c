// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Socket families are an accident of the client's runtime: one server address is one key. */
@RequiresKernel
@ExtendWith(SharedWatch.class)
class AddressIT {
    @Test
    void keepsEveryFamilyOfClientUnderTheServersOneKey(Watch watch, Cable cable) {
        try (Traffic server = new Traffic(cable.server());
                Traffic mapped = new Traffic(cable.client());
                Traffic plain = new Traffic(cable.client(), "-Djava.net.preferIPv4Stack=true")) {
            int port = Integer.parseInt(server.tell("listen * 0"));
            String overMapped = mapped.tell("connect " + Cable.SERVER + " " + port);
            String overPlain = plain.tell("connect " + Cable.SERVER + " " + port);
            String overSix = mapped.tell("connect " + Cable.SERVER6 + " " + port);
            mapped.tell("ping " + overMapped + " 20");
            plain.tell("ping " + overPlain + " 20");
            mapped.tell("ping " + overSix + " 20");

            Shell.await(
                    3_000,
                    () -> watch.peer(cable.client(), Cable.SERVER, port).pathConnections == 2
                            && watch.peer(cable.client(), Cable.SERVER6, port).pathConnections == 1
                            && watch.local(cable.server(), port).queueConnections == 3,
                    () -> "two IPv4 connections (" + watch.peer(cable.client(), Cable.SERVER, port).pathConnections
                            + "), one IPv6 ("
                            + watch.peer(cable.client(), Cable.SERVER6, port).pathConnections
                            + "), three at the listener ("
                            + watch.local(cable.server(), port).queueConnections + ")");
            assertThat(watch.peer(cable.client(), "::ffff:" + Cable.SERVER, port).srttMicros)
                    .isPositive();
            assertThat(watch.peer(cable.client(), Cable.SERVER6, port).srttMicros)
                    .isPositive();
        }
    }
}

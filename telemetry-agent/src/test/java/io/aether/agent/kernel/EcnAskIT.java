// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two ends that both have an agent agree on ECN where the kernels by themselves would not. */
@RequiresKernel
class EcnAskIT {
    private static final long SOON = 5_000;

    private Cable cable;
    private TrafficPair pair;

    @BeforeEach
    void start() {
        cable = new Cable();
        pair = TrafficPair.between(cable);
        sysctl("2", "2");
    }

    @AfterEach
    void stop() {
        pair.close();
        cable.close();
    }

    private void sysctl(String client, String server) {
        cable.client().set("net/ipv4/tcp_ecn", client);
        cable.server().set("net/ipv4/tcp_ecn", server);
    }

    private Watch watch(boolean ask) {
        return new Watch(
                pair.cgroup().directory(),
                settings -> settings.withMarks(settings.marks().withAsk(ask).withScrub(false, List.of())));
    }

    private int listen() {
        return Integer.parseInt(pair.server().tell("listen * 0"));
    }

    private void listenAgain(int port) {
        pair.server().tell("unlisten");
        Shell.await(SOON, () -> listens(port), () -> "the end of the listener before");
    }

    private boolean listens(int port) {
        try {
            return pair.server().tell("listen * " + port) != null;
        } catch (IllegalStateException inUse) {
            return false;
        }
    }

    private String connect(String address, int port) {
        String id = pair.client().tell("connect " + address + " " + port);
        pair.client().tell("ping " + id + " 5");
        return id;
    }

    /** Makes a connection and waits until so many of so many have ECN. */
    private void connects(Watch watch, String address, int port, int all, int able) {
        connect(address, port);
        Shell.await(
                SOON,
                () -> watch.peer(cable.client(), address, port).pathConnections == all
                        && watch.peer(cable.client(), address, port).ablePermille == 1000 * able / all,
                () -> "%d of %d connections, not %d in 1000 of %d"
                        .formatted(
                                able,
                                all,
                                watch.peer(cable.client(), address, port).ablePermille,
                                watch.peer(cable.client(), address, port).pathConnections));
    }

    @ParameterizedTest
    @ValueSource(strings = {Cable.SERVER, Cable.SERVER6})
    void whoHasHeardAServerAsksIt(String address) {
        try (Watch watch = watch(true)) {
            int port = listen();
            connects(watch, address, port, 1, 0);
            connects(watch, address, port, 2, 1);

            String id = connect(address, port);
            pair.client().tell("ping " + id + " 50");
            Shell.await(
                    SOON,
                    () -> watch.peer(cable.client(), address, port).ect >= 50,
                    () -> "answers that could be marked");
        }
    }

    @Test
    void whoSaidNoIsNotAskedAgainForAWhile() {
        try (Watch watch = watch(true);
                Cgroup elsewhere = new Cgroup(Area.directory().getParent())) {
            int port = listen();
            connects(watch, Cable.SERVER, port, 1, 0);
            connects(watch, Cable.SERVER, port, 2, 1);

            elsewhere.add(pair.server().pid()); // What listens from now on has no agent.
            listenAgain(port);
            connects(watch, Cable.SERVER, port, 3, 1);

            pair.cgroup().add(pair.server().pid());
            listenAgain(port);
            connects(watch, Cable.SERVER, port, 4, 1);
            assertThat(watch.probes().counters().mapErrors()).isZero();
        }
    }

    @Test
    void aSettingThatForbidsItIsObeyed() {
        sysctl("2", "0");
        try (Watch watch = watch(true)) {
            int forbidding = listen();
            connects(watch, Cable.SERVER, forbidding, 1, 0);
            connects(watch, Cable.SERVER, forbidding, 2, 0);

            sysctl("0", "2");
            int granting = listen();
            connects(watch, Cable.SERVER, granting, 1, 0);
            connects(watch, Cable.SERVER, granting, 2, 0);
            sysctl("2", "2");
            connects(watch, Cable.SERVER, granting, 3, 1);
        }
    }

    @Test
    void itCanBeSwitchedOff() {
        try (Watch watch = watch(false)) {
            int port = listen();
            connects(watch, Cable.SERVER, port, 1, 0);
            connects(watch, Cable.SERVER, port, 2, 0);
        }
    }
}

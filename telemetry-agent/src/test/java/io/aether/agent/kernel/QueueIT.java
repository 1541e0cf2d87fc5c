// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.table.EndpointHealth;
import io.aether.core.table.TableLayout;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Servers that do not read: by themselves, stopped, or gone. */
@RequiresKernel
@ExtendWith(SharedWatch.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueueIT {
    private static final long TENTH_OF_A_SECOND = 100_000_000;

    private final Watch watch;
    private final Cable cable;
    private Traffic server;
    private Traffic client;
    private int port;
    private String id;

    QueueIT(Watch watch, Cable cable) {
        this.watch = watch;
        this.cable = cable;
    }

    @BeforeAll
    void start() {
        cable.squeeze("1gbit", 1_000_000);
        server = new Traffic(cable.server());
        client = new Traffic(cable.client());
    }

    @AfterAll
    void stop() {
        client.close();
        server.close();
    }

    @BeforeEach
    void connect() {
        server.tell("mode echo");
        port = Integer.parseInt(server.tell("listen * 0"));
        id = client.tell("connect " + Cable.SERVER + " " + port);
        client.tell("ping " + id + " 20");
    }

    @Test
    void measuresHowLongDataWaitsForTheApplication() {
        Shell.await(2_000, () -> local().reads > 0, () -> "reads");
        for (int i = 0; i < 10; i++) {
            server.tell("mode idle");
            client.tell("send " + id + " 100");
            Shell.pause(40);
            server.tell("mode sink");
            Shell.pause(20);
        }

        Shell.await(
                2_000, () -> local().queueSojournMaxMicros > 35_000, () -> "worst " + local().queueSojournMaxMicros);
        assertThat(local().queueSojournMaxMicros).isLessThan(1_000_000);
        assertThat(local().queueSojournMicros).isBetween(10_000L, 500_000L);
        assertThat(local().queueConnections).isEqualTo(1);
    }

    @Test
    void seesAStoppedProcessFromBothSides() {
        // Within the first second of a connection the peer may still speak for itself, with the word that it said last.
        Shell.await(2_000, () -> peer().source == TableLayout.FROM_NODE, () -> "the node's own view of the peer");
        assertThat(peer().stalled()).isFalse();
        try {
            server.freeze();
            long before = System.nanoTime();
            client.tell("send " + id + " 100");
            long sent = System.nanoTime();
            Shell.await(2_000, () -> peer().stalled() && local().stalled(), () -> "stalled on both sides");
            System.out.println("stalled " + (System.nanoTime() - sent) / 1_000_000 + " ms after the request");
            assertThat(local().unread).isEqualTo(1);
            Shell.await(2_000, () -> local().stallAgeMicros > 200_000, () -> "an age that grows");
            assertThat(peer().stallAgeMicros).isGreaterThan(150_000);
            assertThat(local().stalledSinceNanos).isBetween(before - TENTH_OF_A_SECOND, sent + TENTH_OF_A_SECOND);
        } finally {
            server.thaw();
        }
        Shell.await(2_000, () -> !peer().stalled() && !local().stalled(), () -> "not stalled once it runs");
        assertThat(local().unread).isZero();
    }

    @Test
    void marksAListenerThatClosedAsGoneUntilAnotherOpens() {
        Shell.await(2_000, () -> peer().srttMicros > 0, () -> "the peer");
        server.tell("unlisten");
        Shell.await(2_000, () -> local().gone() && peer().gone(), () -> "gone on both sides");

        server.tell("listen * " + port);
        Shell.await(2_000, () -> !local().gone() && !peer().gone(), () -> "there again");
    }

    @Test
    void forgetsTheStallOfAConnectionThatIsClosed() {
        int doomedPort;
        try (Traffic doomed = new Traffic(cable.server())) {
            doomedPort = Integer.parseInt(doomed.tell("listen * 0"));
            String connection = client.tell("connect " + Cable.SERVER + " " + doomedPort);
            client.tell("ping " + connection + " 5");
            doomed.freeze();
            client.tell("send " + connection + " 100");
            Shell.await(2_000, () -> watch.local(cable.server(), doomedPort).stalled(), () -> "stalled");
            client.tell("disconnect " + connection);
        }
        Shell.await(
                5_000,
                () -> watch.local(cable.server(), doomedPort).gone()
                        && !watch.local(cable.server(), doomedPort).stalled(),
                () -> "gone and no longer stalled");
    }

    private EndpointHealth local() {
        return watch.local(cable.server(), port);
    }

    private EndpointHealth peer() {
        return watch.peer(cable.client(), Cable.SERVER, port);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.agent.bpf.ProbeSettings;
import io.aether.core.table.EndpointHealth;
import io.aether.core.table.TableLayout;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Servers and clients with real kernels on both sides, in a cgroup of their own: two agents on the same sockets would each
 * write an option.
 */
@RequiresKernel
@ExtendWith(SharedWatch.class)
class HealthOptionIT {
    private static final long SOON = 5_000;
    /** Below the second after which a stall that nobody confirms is unknown: the end must have been told. */
    private static final long WHILE_A_STALL_COUNTS = 900;
    /** An acknowledgement that waits for company goes out after 40 ms. */
    private static final long ACKNOWLEDGED_MILLIS = 50;

    private final Cable cable;
    private Cgroup cgroup;
    private Traffic server;
    private Traffic client;
    private int port;

    HealthOptionIT(Cable cable) {
        this.cable = cable;
    }

    @BeforeEach
    void start() {
        cable.squeeze("1gbit", 1_000_000);
        cgroup = new Cgroup(Area.directory().getParent());
        server = new Traffic(cable.server());
        client = new Traffic(cable.client());
        cgroup.add(server.pid());
        cgroup.add(client.pid());
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : new AutoCloseable[] {client, server, cgroup}) {
            if (each != null) {
                each.close();
            }
        }
    }

    /** As if every peer lived on another node. */
    static ProbeSettings apart(ProbeSettings settings) {
        return settings.withProbes(true, true, false).withNodeReports(false);
    }

    private Watch watch(UnaryOperator<ProbeSettings> change) {
        return new Watch(cgroup.directory(), change);
    }

    private String connect(String address) {
        String id = client.tell("connect " + address + " " + port);
        client.tell("ping " + id + " 5");
        return id;
    }

    private void listen() {
        port = Integer.parseInt(server.tell("listen * 0"));
    }

    private EndpointHealth peer(Watch watch) {
        return watch.peer(cable.client(), Cable.SERVER, port);
    }

    private void stall(String id) {
        server.freeze();
        client.tell("send " + id + " 100");
    }

    /**
     * Sends on until the stall is seen: a kernel that acknowledges at once, as it may on a busy machine, has spoken before
     * there was a stall, and says more only when asked.
     */
    private void awaitStall(Watch watch, String id) {
        awaitStall(() -> peer(watch), id);
    }

    private void awaitStall(Supplier<EndpointHealth> peer, String id) {
        Shell.await(SOON, () -> stallIsSeen(peer, id), () -> "a stall");
    }

    private boolean stallIsSeen(Supplier<EndpointHealth> peer, String id) {
        if (peer.get().stalled()) {
            return true;
        }
        Shell.pause(ACKNOWLEDGED_MILLIS);
        if (!peer.get().stalled()) {
            client.tell("send " + id + " 100");
        }
        return peer.get().stalled();
    }

    private void awaitEnd(Watch watch) {
        Shell.await(WHILE_A_STALL_COUNTS, () -> !peer(watch).stalled(), () -> "the end of the stall");
    }

    @Test
    void showsAStoppedServerElsewhere() {
        try (Watch watch = watch(HealthOptionIT::apart)) {
            listen();
            String id = connect(Cable.SERVER);
            Shell.await(SOON, () -> peer(watch).srttMicros > 0, () -> "the peer");
            assertThat(peer(watch).stalled()).isFalse();
            long before = System.nanoTime();
            stall(id);
            awaitStall(watch, id);
            EndpointHealth seen = peer(watch);
            assertThat(seen.source).isEqualTo(TableLayout.FROM_OPTION);
            assertThat(seen.stallAgeMicros).isBetween(8_000L, (System.nanoTime() - before) / 1_000);
            server.thaw();
            client.tell("exchange " + id + " 100");
            awaitEnd(watch);
            assertThat(watch.probes().counters().malformedOptions()).isZero();
            assertThat(watch.probes().counters().mapErrors()).isZero();
        }
    }

    @Test
    void showsAStoppedServerToNewConnections() {
        try (Watch watch = watch(HealthOptionIT::apart)) {
            listen();
            String id = connect(Cable.SERVER6);
            stall(id);
            awaitStall(() -> peer6(watch), id);
            // A stall that nobody confirms for a second is unknown.
            Shell.await(SOON, () -> !peer6(watch).stalled(), () -> "an unknown stall");
            client.tell("connect " + Cable.SERVER6 + " " + port);
            Shell.await(SOON, () -> peer6(watch).stalled(), () -> "a stall again");
            assertThat(peer6(watch).stallAgeMicros).isGreaterThan(1_000_000L);
            assertThat(watch.probes().counters().malformedOptions()).isZero();
        }
    }

    private EndpointHealth peer6(Watch watch) {
        return watch.peer(cable.client(), Cable.SERVER6, port);
    }

    @Test
    void endsTheStallWithALongAnswer() {
        try (Watch watch = watch(HealthOptionIT::apart)) {
            listen();
            String id = connect(Cable.SERVER);
            server.freeze();
            client.tell("send " + id + " 60000");
            awaitStall(watch, id);
            server.thaw();
            awaitEnd(watch);
            client.tell("exchange " + id + " 1000000");
            assertThat(watch.probes().counters().malformedOptions()).isZero();
        }
    }

    @Test
    void letsAListenerThatIsOlderThanTheAgentSpeak() {
        listen();
        try (Watch watch = watch(HealthOptionIT::apart)) {
            String id = connect(Cable.SERVER);
            stall(id);
            awaitStall(watch, id);
            assertThat(watch.probes().counters().mapErrors()).isZero();
        }
    }

    @Test
    void letsSpeakersGoOnAfterARestartOfTheAgent() {
        String id;
        try (Watch first = watch(HealthOptionIT::apart)) {
            listen();
            id = connect(Cable.SERVER);
            Shell.await(SOON, () -> peer(first).srttMicros > 0, () -> "the peer");
        }
        client.tell("ping " + id + " 1");
        try (Watch second = watch(HealthOptionIT::apart)) {
            client.tell("ping " + id + " 1");
            stall(id);
            awaitStall(second, id);
            assertThat(peer(second).source).isEqualTo(TableLayout.FROM_OPTION);
            server.thaw();
            client.tell("exchange " + id + " 100");
            awaitEnd(second);
            assertThat(second.probes().counters().mapErrors()).isZero();
        }
    }

    @Test
    void prefersTheNodesOwnView() {
        try (Watch watch = watch(settings -> apart(settings).withNodeReports(true))) {
            listen();
            String id = connect(Cable.SERVER);
            Shell.await(SOON, () -> peer(watch).source == TableLayout.FROM_NODE, () -> "the node's own view");
            stall(id);
            awaitStall(watch, id);
            Shell.pause(50);
            assertThat(peer(watch).source).isEqualTo(TableLayout.FROM_NODE);
            assertThat(watch.probes().counters().mapErrors()).isZero();
        }
    }

    @Test
    void saysNothingOfStallsWithoutTheQueueProbe() {
        try (Watch watch = watch(settings -> apart(settings).withProbes(true, false, false))) {
            listen();
            String id = connect(Cable.SERVER);
            Shell.await(SOON, () -> peer(watch).source == TableLayout.FROM_OPTION, () -> "an option");
            stall(id);
            Shell.pause(100);
            assertThat(peer(watch).stalled()).isFalse();
            assertThat(watch.local(cable.server(), port).kind).isEqualTo(TableLayout.KIND_EMPTY);
            assertThat(watch.probes().counters().mapErrors()).isZero();
        }
    }
}

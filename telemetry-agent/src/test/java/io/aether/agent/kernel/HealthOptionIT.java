// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.agent.bpf.ProbeSettings;
import io.aether.core.table.EndpointHealth;
import io.aether.core.table.TableLayout;
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
    private static final long HALF_A_SECOND = 500;

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

    private void awaitStall(Watch watch) {
        Shell.await(HALF_A_SECOND, () -> peer(watch).stalled(), () -> "a stall");
    }

    private void awaitEnd(Watch watch) {
        Shell.await(HALF_A_SECOND, () -> !peer(watch).stalled(), () -> "the end of the stall");
    }

    @Test
    void showsAStoppedServerElsewhere() {
        try (Watch watch = watch(HealthOptionIT::apart)) {
            listen();
            String id = connect(Cable.SERVER);
            Shell.await(SOON, () -> peer(watch).srttMicros > 0, () -> "the peer");
            assertThat(peer(watch).stalled()).isFalse();
            stall(id);
            awaitStall(watch);
            assertThat(peer(watch).source).isEqualTo(TableLayout.FROM_OPTION);
            assertThat(peer(watch).stallAgeMicros).isBetween(8_000L, 40_000L);
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
            stall(connect(Cable.SERVER6));
            // A stall that nobody confirms for a second is unknown.
            Shell.await(SOON, () -> peer6(watch).stalled(), () -> "a stall");
            Shell.await(SOON, () -> !peer6(watch).stalled(), () -> "an unknown stall");
            client.tell("connect " + Cable.SERVER6 + " " + port);
            Shell.await(HALF_A_SECOND, () -> peer6(watch).stalled(), () -> "a stall again");
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
            awaitStall(watch);
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
            stall(connect(Cable.SERVER));
            awaitStall(watch);
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
            awaitStall(second);
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
            awaitStall(watch);
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

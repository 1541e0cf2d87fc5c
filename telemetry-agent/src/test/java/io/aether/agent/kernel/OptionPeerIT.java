// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.agent.bpf.HealthSettings;
import io.aether.agent.bpf.ProbeSettings;
import io.aether.core.table.EndpointHealth;
import io.aether.core.table.TableLayout;
import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients of a peer whose options are made by hand. */
@RequiresKernel
class OptionPeerIT {
    /** Kind, length, identifier, then version and flags, stall age, pressure, requests in flight. */
    private static final String WELL = "fe08ae7e" + "10000000";

    private static final String STALLED_FOR_40_MS = "fe08ae7e" + "110a8005";
    private static final int PORT = 4000;

    private Cgroup cgroup;
    private Namespace namespace;
    private OptionPeer peer;
    private Traffic client;

    @BeforeEach
    void start() throws IOException {
        cgroup = new Cgroup(Area.directory().getParent());
        namespace = new Namespace();
        peer = new OptionPeer(namespace);
        client = new Traffic(namespace);
        cgroup.add(client.pid());
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : new AutoCloseable[] {client, peer, namespace, cgroup}) {
            if (each != null) {
                each.close();
            }
        }
    }

    private Watch watch(UnaryOperator<ProbeSettings> change) {
        return new Watch(cgroup.directory(), settings -> change.apply(HealthOptionIT.apart(settings)));
    }

    private Watch watch() {
        return watch(UnaryOperator.identity());
    }

    private String connect() {
        String id = client.tell("connect " + OptionPeer.ADDRESS + " " + PORT);
        exchange(id);
        return id;
    }

    private void exchange(String id) {
        client.tell("exchange " + id + " 100");
    }

    private EndpointHealth seen(Watch watch) {
        return watch.peer(namespace, OptionPeer.ADDRESS, PORT);
    }

    @Test
    void leavesASilentPeerInPeace() throws Exception {
        try (Watch watch = watch()) {
            String id = connect();
            long before = events(watch);
            for (int i = 0; i < 20; i++) {
                exchange(id);
            }
            assertThat(peer.count()).containsExactly(1, 0);
            assertThat(events(watch)).isEqualTo(before);
        }
    }

    private static long events(Watch watch) {
        return watch.probes().counters().programs().stream()
                .filter(program -> program.name().equals("aether_health"))
                .findFirst()
                .orElseThrow()
                .events();
    }

    @Test
    void asksASpeakingPeerUntilItAnswers() throws Exception {
        try (Watch watch = watch()) {
            peer.say(WELL);
            String id = connect();
            long[] asked = peer.count();
            exchange(id);
            exchange(id);
            assertThat(asked).containsExactly(1, 2); // the ACK and the first data
            assertThat(peer.count()).containsExactly(asked);
            peer.say(STALLED_FOR_40_MS);
            exchange(id);
            Shell.await(2_000, () -> seen(watch).stalled(), () -> "a stall");
            assertThat(seen(watch).stallAgeMicros).isEqualTo(40_000);
            assertThat(seen(watch).pressure).isEqualTo(0x80);
            assertThat(seen(watch).inFlight).isEqualTo(6);
            assertThat(watch.probes().counters().malformedOptions()).isZero();
        }
    }

    @Test
    void putsNothingIntoARepeatedSyn() throws Exception {
        try (Watch watch = watch()) {
            peer.lose();
            connect();
            assertThat(peer.count()).containsExactly(1, 0);
            assertThat(watch.probes().counters().mapErrors()).isZero();
        }
    }

    @Test
    void ignoresAForgedOptionFromElsewhere() throws Exception {
        HealthSettings others = HealthSettings.defaults().withPrefixes(List.of("10.83.0.0/16", "fd83::/16"));
        try (Watch watch = watch(settings -> settings.withHealth(others))) {
            peer.say(STALLED_FOR_40_MS);
            String id = connect();
            Shell.await(5_000, () -> seen(watch).srttMicros > 0, () -> "the peer");
            exchange(id);
            Shell.pause(50);
            assertThat(seen(watch).stalled()).isFalse();
            assertThat(seen(watch).source).isEqualTo(TableLayout.FROM_NOWHERE);
            assertThat(peer.count()).containsExactly(0, 0);
            assertThat(watch.probes().counters().malformedOptions()).isZero();
        }
    }

    @Test
    void countsAndIgnoresMalformedOptions() throws Exception {
        try (Watch watch = watch()) {
            peer.say(WELL);
            String id = connect();
            List<String> malformed = List.of(
                    "fe0cae7e110a800500000000", // too long
                    "fe06ae7e110a0101", // too short
                    "fe08ae7e210a8005", // another version
                    "fe08ae7e11008005", // stalled for no time
                    "fe08ae7e100a8005", // a time without a stall
                    "fe08ae7e110a80ff", // more requests than can be
                    "fd040000fe08ae7e"); // cut off after another one
            for (String option : malformed) {
                long before = watch.probes().counters().malformedOptions();
                peer.say(option);
                exchange(id);
                assertThat(watch.probes().counters().malformedOptions())
                        .as(option)
                        .isGreaterThan(before);
            }
            peer.say("fe08f989110a8005"); // somebody else's experiment
            long before = watch.probes().counters().malformedOptions();
            exchange(id);
            assertThat(watch.probes().counters().malformedOptions()).isEqualTo(before);
            Shell.await(
                    5_000, () -> seen(watch).source == TableLayout.FROM_OPTION, () -> "what it said when it was well");
            assertThat(seen(watch).stalled()).isFalse();
        }
    }

    @Test
    void saysNothingAfterItsEnd() throws Exception {
        peer.say(WELL);
        watch().close();
        connect();
        assertThat(peer.count()).containsExactly(0, 0);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import static io.aether.agent.bpf.TestTable.PEER;
import static io.aether.agent.bpf.TestTable.STALLED;
import static io.aether.agent.kernel.KernelTests.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.aether.agent.kernel.KernelTests;
import io.aether.agent.kernel.TestOptionPeer;
import io.aether.agent.kernel.TestProcess;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Clients of a peer whose options are made by hand. */
class OptionPeerIT extends HealthOptionFixture {
    /** Kind, length, identifier, then version and flags, stall age, pressure, requests in flight. */
    private static final String WELL = "fe08ae7e" + "10000000";

    private static final String STALLED_FOR_40_MS = "fe08ae7e" + "110a8005";

    @Test
    void silentPeerIsLeftInPeace() throws Exception {
        try (TestOptionPeer peer = TestOptionPeer.start();
                KernelProbes probes = start(apart());
                TestProcess client = TestProcess.client(cgroup, peer.address(), 4000)) {
            long before = events(probes);
            for (int i = 0; i < 20; i++) {
                client.exchange(100);
            }
            assertThat(peer.count()).containsExactly(1, 0);
            assertThat(events(probes)).isEqualTo(before);
        }
    }

    private static long events(KernelProbes probes) {
        return probes.counters().programs().stream()
                .filter(program -> program.name().equals("aether_health"))
                .findFirst()
                .orElseThrow()
                .events();
    }

    @Test
    void speakingPeerIsAskedUntilItAnswers() throws Exception {
        try (TestOptionPeer peer = TestOptionPeer.start();
                KernelProbes probes = start(apart())) {
            peer.say(WELL);
            try (TestProcess client = TestProcess.client(cgroup, peer.address(), 4001)) {
                client.exchange(100);
                long[] asked = peer.count();
                client.exchange(100);
                client.exchange(100);
                assertThat(asked).containsExactly(1, 2); // the ACK and the first data
                assertThat(peer.count()).containsExactly(asked);
                peer.say(STALLED_FOR_40_MS);
                client.exchange(100);
                TestTable table = table();
                assertThat(await(HALF_A_SECOND, () -> table.has(PEER, 4001, STALLED)))
                        .isTrue();
                assertThat(table.number(PEER, 4001, STALL_AGE)).isEqualTo(40_000);
                assertThat(table.byteAt(PEER, 4001, PRESSURE)).isEqualTo(0x80);
                assertThat(table.number(PEER, 4001, IN_FLIGHT)).isEqualTo(6);
            }
            assertThat(probes.counters().malformedOptions()).isZero();
        }
    }

    @Test
    void repeatedSynCarriesNone() throws Exception {
        try (TestOptionPeer peer = TestOptionPeer.start();
                KernelProbes probes = start(apart())) {
            peer.lose();
            try (TestProcess client = TestProcess.client(cgroup, peer.address(), 4005)) {
                client.exchange(100);
                assertThat(peer.count()).containsExactly(1, 0);
            }
            assertThat(probes.counters().mapErrors()).isZero();
        }
    }

    @Test
    void forgedOptionFromElsewhereIsIgnored() throws Exception {
        ProbeSettings settings =
                apart().withHealth(HealthSettings.defaults().withPrefixes(List.of("10.83.0.0/16", "fd83::/16")));
        try (TestOptionPeer peer = TestOptionPeer.start();
                KernelProbes probes = start(settings)) {
            peer.say(STALLED_FOR_40_MS);
            try (TestProcess client = TestProcess.client(cgroup, peer.address(), 4002)) {
                TestTable table = table();
                client.exchange(100);
                assertThat(await(SOON, () -> table.find(PEER, 4002) >= 0)).isTrue();
                client.exchange(100);
                Thread.sleep(50);
                assertThat(table.has(PEER, 4002, STALLED)).isFalse();
                assertThat(table.byteAt(PEER, 4002, SOURCE)).isZero();
                assertThat(peer.count()).containsExactly(0, 0);
            }
            assertThat(probes.counters().malformedOptions()).isZero();
        }
    }

    @Test
    void malformedOptionsAreCountedAndIgnored() throws Exception {
        try (TestOptionPeer peer = TestOptionPeer.start();
                KernelProbes probes = start(apart())) {
            peer.say(WELL);
            try (TestProcess client = TestProcess.client(cgroup, peer.address(), 4003)) {
                client.exchange(100);
                List<String> malformed = List.of(
                        "fe0cae7e110a800500000000", // too long
                        "fe06ae7e110a0101", // too short
                        "fe08ae7e210a8005", // another version
                        "fe08ae7e11008005", // stalled for no time
                        "fe08ae7e100a8005", // a time without a stall
                        "fe08ae7e110a80ff", // more requests than can be
                        "fd040000fe08ae7e"); // cut off after another one
                TestTable table = table();
                for (String option : malformed) {
                    long before = probes.counters().malformedOptions();
                    peer.say(option);
                    client.exchange(100);
                    assertThat(probes.counters().malformedOptions()).as(option).isGreaterThan(before);
                }
                peer.say("fe08f989110a8005"); // somebody else's experiment
                long before = probes.counters().malformedOptions();
                client.exchange(100);
                assertThat(probes.counters().malformedOptions()).isEqualTo(before);
                assertThat(table.has(PEER, 4003, STALLED)).isFalse();
                assertThat(table.byteAt(PEER, 4003, SOURCE)).isEqualTo(FROM_OPTION);
            }
        }
    }

    @Test
    void detachLeavesNothing() throws Exception {
        try (TestOptionPeer peer = TestOptionPeer.start()) {
            peer.say(WELL);
            String before = programs();
            start(apart()).close();
            try (TestProcess client = TestProcess.client(cgroup, peer.address(), 4004)) {
                client.exchange(100);
            }
            assertThat(peer.count()).containsExactly(0, 0);
            assertThat(programs()).isEqualTo(before);
        }
    }

    /** Every loaded program of this name with its id; others of the run may hold some. */
    private static String programs() throws Exception {
        return KernelTests.run("bpftool", "prog", "show")
                .lines()
                .filter(line -> line.contains("aether_health"))
                .collect(Collectors.joining("\n"));
    }
}

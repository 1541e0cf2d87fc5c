// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.agent.bpf.AnswerSettings;
import io.aether.agent.bpf.ControlSettings;
import io.aether.agent.bpf.MarkSettings;
import io.aether.agent.bpf.ProbeSettings;
import io.aether.agent.bpf.ProbeStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The congestion control on real connections of a cgroup that opted in; {@code ss} is the oracle. */
@RequiresKernel
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CongestionControlIT {
    private static final Path MARKS =
            Path.of("..", "bpf", "target", "work", "marks.bpf.o").toAbsolutePath();
    private static final String NAME = "bpf_aether";
    private static final long SOON = 10_000;

    @TempDir
    Path directory;

    private Cable cable;
    private TrafficPair pair;
    private Cgroup cgroup;
    private Traffic server;
    private Traffic client;
    private int port;

    @BeforeAll
    void cable() {
        cable = new Cable();
        cable.server().set("net/ipv4/tcp_ecn", "1");
    }

    @AfterAll
    void uncable() {
        cable.close();
    }

    @BeforeEach
    void start() {
        cable.client().set("net/ipv4/tcp_ecn", "1");
        pair = TrafficPair.between(cable);
        cgroup = pair.cgroup();
        server = pair.server();
        client = pair.client();
    }

    @AfterEach
    void stop() {
        pair.close();
    }

    /** Nothing but the control, for the cgroup. */
    private static ProbeSettings alone(ProbeSettings settings) {
        return settings.withProbes(false, false, false)
                .withHealth(settings.health().withEnabled(false))
                .withAnswers(new AnswerSettings(false, false))
                .withMarks(MarkSettings.off())
                .withControl(ControlSettings.on());
    }

    private Watch watch(UnaryOperator<ProbeSettings> change) {
        Watch watch = new Watch(cgroup.directory(), settings -> change.apply(alone(settings)));
        assertThat(control(watch).state()).as(control(watch).reason()).isEqualTo(ProbeStatus.State.ATTACHED);
        port = Integer.parseInt(server.tell("listen * 0"));
        return watch;
    }

    private static ProbeStatus control(Watch watch) {
        return watch.statuses().stream()
                .filter(status -> status.name().equals("cc"))
                .findFirst()
                .orElseThrow();
    }

    private String connect(String address) {
        String id = client.tell("connect " + address + " " + port);
        client.tell("ping " + id + " 5");
        return id;
    }

    private String ofServer() {
        return Sockets.of(cable.server(), port);
    }

    @Test
    void takesBothEndsAndShortensTheirTimeout() {
        try (Watch watch = watch(UnaryOperator.identity())) {
            connect(Cable.SERVER);
            assertThat(ofServer()).contains(NAME);
            assertThat(cable.client().sockets(port)).contains(NAME);
            assertThat(Sockets.timeoutMillis(ofServer())).isLessThan(100);
            assertThat(watch.probes().counters().mapErrors()).isZero();
            assertThat(watch.probes().controlCounters().taken()).isEqualTo(2);
        }
    }

    @Test
    void leavesPeersOutsideItsNetworksAlone() {
        try (Watch watch =
                watch(settings -> settings.withControl(settings.control().withNetworks(List.of("10.0.0.0/8"))))) {
            connect(Cable.SERVER6);
            assertThat(watch.statuses()).isNotEmpty();
            assertThat(ofServer()).doesNotContain(NAME).contains("reno");
            assertThat(Sockets.timeoutMillis(ofServer())).isGreaterThanOrEqualTo(200);
        }
    }

    @Test
    void leavesConnectionsWithoutEcnToTheSystemsControl() {
        cable.client().set("net/ipv4/tcp_ecn", "0");
        try (Watch watch = watch(UnaryOperator.identity())) {
            connect(Cable.SERVER);
            assertThat(ofServer()).doesNotContain(NAME).contains("reno");
            assertThat(Sockets.timeoutMillis(ofServer())).isLessThan(100);
            assertThat(watch.probes().controlCounters().left()).isEqualTo(2);
        }
    }

    @Test
    void leavesOtherCgroupsAlone() {
        try (Cgroup other = new Cgroup(cgroup.directory());
                Watch watch = watch(settings -> settings.withControl(ControlSettings.on(other.directory())))) {
            connect(Cable.SERVER);
            assertThat(watch.statuses()).isNotEmpty();
            assertThat(ofServer()).doesNotContain(NAME);
            assertThat(cable.client().sockets(port)).doesNotContain(NAME);
        }
    }

    /** The window stays near two over the share of marks, as DCTCP's does; one that halves per round trip would not. */
    @Test
    void shrinksTheWindowByTheShareOfMarks() {
        cable.squeeze("1gbit", 1_000_000);
        try (Watch watch = watch(UnaryOperator.identity())) {
            assertThat(watch.statuses()).isNotEmpty();
            server.tell("mode large");
            String id = client.tell("connect " + Cable.SERVER + " " + port);
            int few = medianWindow(id, "tc/sixteenth");
            int many = medianWindow(id, "tc/half");
            System.out.printf("window: a sixteenth marked %d, half %d%n", few, many);
            assertThat(many).isBetween(1, 16);
            assertThat(few).isGreaterThan(2 * many).isLessThan(2000);
        }
    }

    /** A window that cannot be is put right when there is something to send: one look may come before. */
    private int medianWindow(String id, String section) {
        middle("qdisc", "add", "dev", "c", "clsact");
        try {
            middle(
                    "filter",
                    "add",
                    "dev",
                    "c",
                    "egress",
                    "bpf",
                    "direct-action",
                    "object-file",
                    MARKS.toString(),
                    "section",
                    section);
            client.tell("fetch " + id + " 5");
            int[] windows = new int[11];
            for (int i = 0; i < windows.length; i++) {
                client.tell("fetch " + id + " 2");
                windows[i] = Sockets.window(ofServer());
            }
            return Arrays.stream(windows).sorted().toArray()[windows.length / 2];
        } finally {
            middle("qdisc", "del", "dev", "c", "clsact");
        }
    }

    private void middle(String... words) {
        Shell.run(Stream.concat(List.of("tc", "-n", cable.middle().name()).stream(), List.of(words).stream())
                .toArray(String[]::new));
    }

    /** Marks for the application, of its own queue, half of the segments: without the control they would leave 2. */
    @Test
    void keepsTheServersWindowUnderItsOwnMarks() {
        UnaryOperator<ProbeSettings> marking = settings -> settings.withProbes(true, true, false)
                .withMarks(MarkSettings.defaults()
                        .withThresholds(Duration.ofMillis(100), Duration.ofMillis(300))
                        .withScrub(false, List.of()));
        try (Watch watch = watch(marking)) {
            String id = connect(Cable.SERVER);
            server.tell("publish " + watch.applications() + " " + port + " 8 30 200000");
            Shell.await(SOON, () -> watch.local(cable.server(), port).estimatedWaitMicros == 200_000, () -> "its wait");
            server.tell("mode large");
            client.tell("fetch " + id + " 20");
            int window = Sockets.window(ofServer());
            System.out.println("window under its own marks: " + window);
            assertThat(watch.peer(cable.client(), Cable.SERVER, port).ce).isGreaterThan(1000);
            assertThat(window).isGreaterThan(6); // A machine that is held up leaves less than the usual dozens.
        }
    }

    /** Twelve large answers at once through a small buffer: each is paced to its share; alone, none is. */
    @Test
    void pacesManyAnswersToTheirShareAndLiftsItForOne() {
        cable.squeezeToClient("100mbit", 64_000);
        try (Watch watch = watch(UnaryOperator.identity())) {
            assertThat(watch.statuses()).isNotEmpty();
            server.tell("mode large");
            List<String> ids = IntStream.range(0, 12)
                    .mapToObj(i -> client.tell("connect " + Cable.SERVER + " " + port))
                    .toList();
            client.tell("together 2");
            String many = ofServer();
            assertThat(Sockets.limited(many, 3_000_000, 40_000_000)).as(many).isGreaterThanOrEqualTo(8);

            client.tell("fetch " + ids.get(0) + " 15");
            String one = ofServer();
            assertThat(Sockets.isUnlimited(one, 15_000_000)).as(one).isTrue();
        }
    }

    @Test
    void saysWhoHoldsTheName() {
        try (Watch first = watch(UnaryOperator.identity());
                Watch second = new Watch(cgroup.directory(), CongestionControlIT::alone)) {
            assertThat(first.statuses()).isNotEmpty();
            assertThat(control(second).state()).isEqualTo(ProbeStatus.State.CONFLICT);
            assertThat(control(second).reason()).contains(NAME + " is registered already");
            assertThat(control(second).fix()).contains("stop the other agent");
        }
    }

    @Test
    void endsWithTheLastConnectionThatHasIt() {
        String id;
        try (Watch watch = watch(UnaryOperator.identity())) {
            assertThat(watch.statuses()).isNotEmpty();
            id = connect(Cable.SERVER);
        }
        client.tell("ping " + id + " 5");
        assertThat(ofServer()).contains(NAME);
        connect(Cable.SERVER);
        assertThat(ofServer()).contains("reno");
        client.tell("disconnect " + id);
        Shell.await(SOON, () -> !ofServer().contains(NAME), this::ofServer);
        Shell.await(SOON, () -> !registered().contains(NAME), CongestionControlIT::registered);
    }

    private static String registered() {
        return Shell.run("bpftool", "struct_ops", "list");
    }

    @Test
    void outlivesAKilledAgentAndIsTakenOver() {
        try (BpfFileSystem files = new BpfFileSystem()) {
            Pinned first = Pinned.controlling(directory.resolve("first"), cgroup.directory(), files.pins());
            assertThat(first.states()).containsEntry("cc", "ATTACHED");
            first.kill();
            port = Integer.parseInt(server.tell("listen * 0"));
            connect(Cable.SERVER);
            assertThat(ofServer()).contains(NAME);
            try (Pinned second = Pinned.controlling(directory.resolve("second"), cgroup.directory(), files.pins())) {
                assertThat(second.states()).containsEntry("cc", "ATTACHED");
                assertThat(second.pins()).containsEntry("cc", "TAKEN");
                connect(Cable.SERVER);
                assertThat(ofServer()).contains(NAME);
            }
        }
    }
}

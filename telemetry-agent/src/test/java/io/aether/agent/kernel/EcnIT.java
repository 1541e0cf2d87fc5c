// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.agent.bpf.MarkSettings;
import io.aether.agent.bpf.ProbeSettings;
import io.aether.agent.bpf.ProgramStats;
import io.aether.core.table.EndpointHealth;
import io.aether.core.table.TableLayout;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Marks on real connections with ECN. */
@RequiresKernel
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EcnIT {
    private static final long SOON = 5_000;
    private static final Pattern WINDOW = Pattern.compile(" cwnd:(\\d+)");

    private Cable cable;
    private TrafficPair pair;
    private Cgroup cgroup;
    private Traffic server;
    private Traffic client;
    private int port;

    @BeforeAll
    void cable() {
        cable = new Cable();
        cable.squeeze("1gbit", 1_000_000);
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

    /** Marks between these waits, which a busy machine does not reach by itself, and no scrubbing. */
    private Watch watch(int fromMillis, int allMillis, UnaryOperator<ProbeSettings> change) {
        MarkSettings marks = MarkSettings.defaults()
                .withThresholds(Duration.ofMillis(fromMillis), Duration.ofMillis(allMillis))
                .withScrub(false, List.of());
        Watch watch = new Watch(
                cgroup.directory(),
                settings -> change.apply(settings.withProbes(true, true, false).withMarks(marks)));
        port = Integer.parseInt(server.tell("listen * 0"));
        return watch;
    }

    private Watch watch(int fromMillis, int allMillis) {
        return watch(fromMillis, allMillis, UnaryOperator.identity());
    }

    private static ProbeSettings scrubbing(ProbeSettings settings) {
        return settings.withMarks(settings.marks().withScrub(true, List.of()));
    }

    private String connect(String address) {
        String id = client.tell("connect " + address + " " + port);
        client.tell("ping " + id + " 5");
        return id;
    }

    private void publish(Watch watch, int waitMillis) {
        server.tell("publish " + watch.applications() + " " + port + " 8 30 " + waitMillis * 1000);
        Shell.await(SOON, () -> local(watch).estimatedWaitMicros == waitMillis * 1000L, () -> "the published wait");
    }

    private EndpointHealth local(Watch watch) {
        return watch.local(cable.server(), port);
    }

    private EndpointHealth peer(Watch watch) {
        return watch.peer(cable.client(), Cable.SERVER, port);
    }

    private static double share(EndpointHealth before, EndpointHealth after) {
        double marked = after.ce - before.ce;
        return marked / (marked + after.ect - before.ect);
    }

    @Test
    void marksWhileRequestsWaitAndNotOtherwise() {
        try (Watch watch = watch(50, 120)) {
            String id = connect(Cable.SERVER);
            client.tell("ping " + id + " 300");
            Shell.await(SOON, () -> peer(watch).ect >= 300 && local(watch).ect >= 300, () -> "answers with ECN");
            assertThat(peer(watch).ce).isZero();
            assertThat(local(watch).ce).isZero();
            assertThat(peer(watch).ablePermille).isEqualTo(1000);
            assertThat(peer(watch).rungs).isEqualTo(TableLayout.RUNG_MARKS | TableLayout.RUNG_REPORT);

            List<String> waiting =
                    IntStream.range(0, 10).mapToObj(i -> connect(Cable.SERVER)).toList();
            server.freeze();
            waiting.forEach(each -> client.tell("send " + each + " 100"));
            Shell.pause(300);
            server.thaw();
            Shell.await(SOON, () -> peer(watch).ce > 0, () -> "marked answers");
            Shell.await(SOON, () -> local(watch).ce >= peer(watch).ce, () -> "as many set as came");
            assertThat(local(watch).ce).isLessThanOrEqualTo(10);
            assertThat(watch.probes().counters().mapErrors()).isZero();
        }
    }

    @Test
    void marksTheShareThatTheRampTells() {
        try (Watch watch = watch(100, 300)) {
            String id = connect(Cable.SERVER);
            publish(watch, 200);
            Shell.pause(50);
            EndpointHealth before = peer(watch);
            client.tell("ping " + id + " 1000");
            Shell.await(SOON, () -> total(before, peer(watch)) >= 1000, () -> "their count");
            assertThat(share(before, peer(watch))).isBetween(0.42, 0.58);

            publish(watch, 1000);
            Shell.pause(50);
            EndpointHealth full = peer(watch);
            client.tell("ping " + id + " 200");
            Shell.await(SOON, () -> total(full, peer(watch)) >= 200, () -> "their count");
            assertThat(share(full, peer(watch))).isEqualTo(1);
        }
    }

    private static long total(EndpointHealth before, EndpointHealth after) {
        return after.ce - before.ce + after.ect - before.ect;
    }

    /** The two clients are one process with two addresses. */
    @Test
    void marksThoseMoreWhoTakeMore() {
        try (Watch watch = watch(100, 300)) {
            String heavy = connect(Cable.SERVER);
            String light = connect(Cable.SERVER6);
            takeUnequally(heavy, light, 1_500);
            publish(watch, 140);
            EndpointHealth heavyBefore = peer(watch);
            EndpointHealth lightBefore = watch.peer(cable.client(), Cable.SERVER6, port);
            takeUnequally(heavy, light, 3_000);
            Shell.pause(50);

            double ofHeavy = share(heavyBefore, peer(watch));
            double ofLight = share(lightBefore, watch.peer(cable.client(), Cable.SERVER6, port));
            System.out.printf("share marked: heavy %.3f light %.3f%n", ofHeavy, ofLight);
            // 0.2 times the squares of 1.8 and of 0.2.
            assertThat(ofHeavy).isBetween(0.5, 0.8);
            assertThat(ofLight).isLessThan(0.06);
        }
    }

    private void takeUnequally(String heavy, String light, int millis) {
        long end = System.nanoTime() + millis * 1_000_000L;
        while (System.nanoTime() < end) {
            client.tell("ping " + heavy + " 9");
            client.tell("ping " + light + " 1");
        }
    }

    @Test
    void countsSegmentsNotWhatTheKernelBundles() {
        try (Watch watch = watch(100, 300)) {
            String id = connect(Cable.SERVER);
            Shell.await(SOON, () -> peer(watch).ect >= 5, () -> "a first count");
            EndpointHealth before = peer(watch);
            long looks = looks(watch);
            server.tell("mode large");
            client.tell("fetch " + id + " 2");
            Shell.await(SOON, () -> total(before, peer(watch)) >= 1300, () -> "segments: " + peer(watch).ect);
            Shell.pause(50);
            // 2 MB are 1382 segments of 1448 bytes; what is not full makes them more.
            assertThat(total(before, peer(watch))).isBetween(1300L, 2200L);
            assertThat(looks(watch) - looks).isLessThan(total(before, peer(watch)) / 2);
        }
    }

    private static long looks(Watch watch) {
        return watch.probes().counters().programs().stream()
                .filter(program -> program.name().equals("aether_ecn_in"))
                .mapToLong(ProgramStats::events)
                .sum();
    }

    @Test
    void leavesConnectionsWithoutEcnAlone() {
        cable.client().set("net/ipv4/tcp_ecn", "0");
        try (Watch watch = watch(100, 300)) {
            String id = connect(Cable.SERVER);
            publish(watch, 1000);
            client.tell("ping " + id + " 100");
            server.tell("mode large");
            client.tell("fetch " + id + " 1");
            Shell.await(SOON, () -> peer(watch).rungs == TableLayout.RUNG_REPORT, () -> "reports alone");
            assertThat(peer(watch).ablePermille).isZero();
            assertThat(peer(watch).ce + peer(watch).ect).isZero();
            assertThat(local(watch).ce).isZero();
            assertThat(watch.probes().counters().mapErrors()).isZero();
        }
    }

    /** Half of the answers' segments are marked: with TCP told of it, the server's window stays small. */
    @Test
    void sparesTheServersWindowTheMarksThatItsPressureExplains() {
        int scrubbed;
        int obeyed;
        try (Watch watch = watch(100, 300, EcnIT::scrubbing)) {
            scrubbed = windowAfterLargeAnswers(watch, true);
        }
        try (Watch watch = watch(
                100,
                300,
                settings -> scrubbing(settings).withHealth(settings.health().withEnabled(false)))) {
            obeyed = windowAfterLargeAnswers(watch, false);
        }
        System.out.println("window of the server: marks scrubbed " + scrubbed + ", obeyed " + obeyed);
        assertThat(scrubbed).isGreaterThan(3 * obeyed);
    }

    private int windowAfterLargeAnswers(Watch watch, boolean scrub) {
        String id = connect(Cable.SERVER);
        publish(watch, 200);
        Shell.await(SOON, () -> watch.probes().counters().scrubbedInterfaces() > 0, () -> "the program in its place");
        server.tell("mode large");
        EndpointHealth before = peer(watch);
        long start = System.nanoTime();
        client.tell("fetch " + id + " 20");
        System.out.printf("20 answers of 1 MB, scrubbed: %s: %d ms%n", scrub, (System.nanoTime() - start) / 1_000_000);
        server.tell("mode echo");
        Shell.pause(50);
        assertThat(share(before, peer(watch))).isBetween(0.3, 0.7);
        assertThat(watch.probes().counters().scrubFailures()).isZero();
        return window();
    }

    /** Of the only connection. */
    private int window() {
        String sockets = Shell.run(
                "ip",
                "netns",
                "exec",
                cable.server().name(),
                "ss",
                "-Htin",
                "state",
                "established",
                "sport",
                "=",
                ":" + port);
        Matcher windows = WINDOW.matcher(sockets);
        assertThat(windows.find()).as(sockets).isTrue();
        return Integer.parseInt(windows.group(1));
    }
}

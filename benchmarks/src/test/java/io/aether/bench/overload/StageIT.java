// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.agent.cgroup.CgroupFinder;
import io.aether.agent.cgroup.CgroupNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The benchmark's stage: real processes in namespaces, whose kernel really marks, and limiters that really follow. */
class StageIT {
    private static final Phases SHORT = new Phases(3500, 1000, 3000, 1500);
    private static final int STEADY_FROM = 45; // tenths of a second
    private static final int STEADY_TO = 75;

    @BeforeAll
    static void kernel() {
        String missing = missing();
        if (!missing.isEmpty()) {
            if (Boolean.getBoolean("aether.kernel.required")) {
                throw new IllegalStateException("kernel tests are required but cannot run: " + missing);
            }
            System.out.println("skipped StageIT: " + missing);
            Assumptions.abort(missing);
        }
    }

    private static String missing() {
        if (!"root".equals(System.getProperty("user.name"))) {
            return "it needs root";
        }
        if (!Files.isReadable(Path.of("/sys/kernel/btf/vmlinux"))) {
            return "it needs Linux with BTF (/sys/kernel/btf/vmlinux)";
        }
        try {
            new CgroupFinder(Path.of("/")).find(null);
            return "";
        } catch (CgroupNotFoundException e) {
            return "it needs a mounted cgroup2 tree";
        }
    }

    private static Played play(boolean ecn) throws Exception {
        Path root = new CgroupFinder(Path.of("/")).find(null).path();
        try (Stage stage = Stage.set(root, ecn)) {
            return Lane.open(stage).play(new Bout(Policy.AETHER, 20, 4, false, Mix.EQUAL, 1, SHORT));
        }
    }

    private static double mean(Played played, ToDoubleFunction<Timeline.Slot> figure) {
        List<Timeline.Slot> slots = played.timeline().slots();
        return slots.subList(STEADY_FROM, STEADY_TO).stream()
                .mapToDouble(figure)
                .average()
                .orElseThrow();
    }

    @Test
    void theKernelMarksAndTheLimitersFollow() throws Exception {
        Played played = play(true);
        assertThat(mean(played, Timeline.Slot::wanted)).isGreaterThan(3 * Target.CAPACITY);
        assertThat(mean(played, Timeline.Slot::marked)).isBetween(0.05, 0.95);
        assertThat(mean(played, Timeline.Slot::fraction)).isBetween(0.05, 0.95);
        assertThat(mean(played, Timeline.Slot::allowed)).isBetween(0.5 * Target.CAPACITY, 1.5 * Target.CAPACITY);
        // Without a limiter three times the capacity is refused.
        assertThat(played.outcome().refused()).isLessThan(0.3);
        assertThat(played.outcome().goodput()).isGreaterThan(0.7);
    }

    @Test
    void withoutEcnNothingIsMarkedAndRefusalsAreEnough() throws Exception {
        Played played = play(false);
        assertThat(mean(played, Timeline.Slot::marked)).isZero();
        assertThat(mean(played, Timeline.Slot::allowed)).isLessThan(2 * Target.CAPACITY);
        assertThat(played.outcome().refused()).isBetween(0.02, 1.0);
    }

    @Test
    void leavesNothingBehind() throws Exception {
        Path root = new CgroupFinder(Path.of("/")).find(null).path();
        Process server;
        Path files;
        List<Path> traces;
        try (Stage stage = Stage.set(root, true)) {
            server = stage.start(
                    stage.servers(),
                    io.aether.bench.overload.server.ServerMain.class,
                    stage.applications().toString());
            files = stage.applications().getParent();
            traces = List.of(
                    files,
                    Path.of("/run/netns", stage.clients()),
                    Path.of("/run/netns", stage.servers()),
                    root.resolve("aether-overload-" + ProcessHandle.current().pid()));
            assertThat(traces).allMatch(Files::exists);
        }
        assertThat(traces).noneMatch(Files::exists);
        assertThat(server.isAlive()).isFalse();
    }
}

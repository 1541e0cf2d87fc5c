// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.incast;

import io.aether.agent.bpf.AnswerSettings;
import io.aether.agent.bpf.ControlSettings;
import io.aether.agent.bpf.HealthSettings;
import io.aether.agent.bpf.KernelProbes;
import io.aether.agent.bpf.MarkSettings;
import io.aether.agent.bpf.ProbeSettings;
import io.aether.agent.bpf.ProbeStatus;
import io.aether.agent.bpf.ProbesUnavailableException;
import io.aether.agent.cgroup.CgroupFinder;
import io.aether.agent.cgroup.CgroupNotFoundException;
import io.aether.bench.BenchOptions;
import io.aether.bench.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * 32 senders answer one aggregator with 32 KB at once over persistent connections, round after round, with 2 ms between
 * rounds; and four long answers at once. Under each policy, with a switch that marks and with one that only drops, in
 * turns.
 */
public final class IncastBench {
    private static final int BLOCK = 25;
    private static final int STREAM_MILLIS = 3000;
    private static final List<Policy> LONG = List.of(Policy.AETHER, Policy.CUBIC);

    private final Child aggregator;
    private final Map<Policy, Rounds> rounds = new EnumMap<>(Policy.class);
    private final Map<Policy, Double> streams = new EnumMap<>(Policy.class);
    private final String mode;

    private IncastBench(Child aggregator, String mode) {
        this.aggregator = aggregator;
        this.mode = mode;
        for (Policy policy : Policy.values()) {
            rounds.put(policy, new Rounds());
            streams.put(policy, 0.0);
        }
    }

    public static void main(String[] args) throws Exception {
        BenchOptions options = BenchOptions.parse("incast", args);
        for (Path tool : Stage.tools()) {
            if (!Files.exists(tool)) {
                System.err.println("incast: " + tool + " is missing. Fix: run this by ./aether, which builds it");
                System.exit(BenchOptions.PREREQUISITE);
            }
        }
        try {
            options.show(measure(options.quick() ? 4 : 40, options.quick() ? 2 : 5));
        } catch (ProbesUnavailableException e) {
            System.err.println("incast: the control cannot be used: " + e.reason() + ". Fix: " + e.fix());
            System.exit(BenchOptions.PREREQUISITE);
        } catch (CgroupNotFoundException e) {
            System.err.println("incast: " + e.getMessage());
            System.exit(BenchOptions.PREREQUISITE);
        }
        System.exit(0);
    }

    private static Report measure(int blocks, int streams)
            throws IOException, InterruptedException, CgroupNotFoundException {
        Report report = new Report("incast");
        Path table = Files.createTempDirectory("aether-incast");
        try (Stage stage = Stage.set(new CgroupFinder(Path.of("/")).find(null).path());
                KernelProbes agent = open(table.resolve("health"), stage.cgroup())) {
            attach(agent);
            Child aggregator = stage.start();
            IncastBench marking = new IncastBench(aggregator, "marking");
            IncastBench plain = new IncastBench(aggregator, "plain");
            for (int i = 0; i < blocks; i++) {
                for (IncastBench each : i % 2 == 0 ? List.of(marking, plain) : List.of(plain, marking)) {
                    stage.mark(each == marking);
                    each.block(i, i < streams);
                }
            }
            marking.report(report, streams);
            plain.report(report, streams);
        } finally {
            remove(table);
        }
        return report;
    }

    private static void remove(Path directory) throws IOException {
        for (String file : List.of("health", "apps")) {
            Files.deleteIfExists(directory.resolve(file));
        }
        Files.delete(directory);
    }

    /** The control alone, for the two addresses of its policy. */
    private static KernelProbes open(Path table, Path cgroup) {
        ControlSettings control = ControlSettings.on()
                .withNetworks(List.of(Policy.AETHER.address() + "/32", Policy.AETHER.senders() + "/32"));
        return KernelProbes.open(ProbeSettings.defaults(table, cgroup)
                .withProbes(false, false, false)
                .withHealth(HealthSettings.defaults().withEnabled(false))
                .withAnswers(new AnswerSettings(false, false))
                .withMarks(MarkSettings.off())
                .withControl(control));
    }

    private static void attach(KernelProbes agent) {
        for (ProbeStatus status : agent.attach()) {
            if (status.name().equals("cc") && status.state() != ProbeStatus.State.ATTACHED) {
                throw new ProbesUnavailableException(status.reason(), status.fix());
            }
        }
    }

    /** Each policy's turn, another one first each time. */
    private void block(int number, boolean withStreams) throws IOException {
        Policy[] policies = Policy.values();
        for (int i = 0; i < policies.length; i++) {
            Policy policy = policies[(number + i) % policies.length];
            Objects.requireNonNull(rounds.get(policy)).add(aggregator.tell("rounds " + policy.name() + " " + BLOCK));
            if (withStreams && LONG.contains(policy)) {
                String[] words = aggregator
                        .tell("stream " + policy.name() + " " + STREAM_MILLIS)
                        .split(" ", -1);
                streams.merge(policy, 8.0 * Long.parseLong(words[0]) / Long.parseLong(words[1]), Double::sum);
            }
        }
    }

    private double mean(Policy policy, int runs) {
        return Objects.requireNonNull(streams.get(policy)) / runs;
    }

    private void report(Report report, int runs) {
        for (Policy policy : Policy.values()) {
            Objects.requireNonNull(rounds.get(policy)).report(report, policy.label() + " " + mode);
        }
        for (Policy policy : LONG) {
            report.add("long " + policy.label() + " " + mode, mean(policy, runs), "Mbit/s");
        }
        report.add("long aether/cubic " + mode, mean(Policy.AETHER, runs) / mean(Policy.CUBIC, runs), "x");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * What the probes and the pump need to know. Immutable; the kernel reads the thresholds as constants, so a change takes
 * a new {@link KernelProbes}.
 *
 * @param table the health table's file; its directory is created when missing
 * @param slots endpoints that the table can hold, rounded up to a power of two between 64 and 1048576
 * @param cgroup directory of the version 2 cgroup whose processes are watched
 * @param congestedRtt a peer is congested above this round trip at the latest; at least 1 us
 * @param congestedFloor ... and never below this one
 * @param congestedFactor ... in between, above this many times its minimum of the last 10 s
 * @param delayedAck the longest that a receiver may hold back an acknowledgement, with its timer's slack: a sample of a
 *     small request may exceed the path's round trip by as much
 * @param stallAfter an endpoint is stalled when requests have waited unread for this long; at least 1 ms
 * @param flow whether to load the flow probe
 * @param queue whether to load the queue probe
 * @param sched whether to load the sched probe
 * @param health the health option
 * @param answers which answers are counted
 * @param marks how answers are marked by the queue of their endpoint
 * @param control where the congestion control is used
 * @param nodeReports whether peers that live on this node are shown as this node sees them, whatever they say
 */
public record ProbeSettings(
        Path table,
        int slots,
        Path cgroup,
        Duration congestedRtt,
        Duration congestedFloor,
        int congestedFactor,
        Duration delayedAck,
        Duration stallAfter,
        boolean flow,
        boolean queue,
        boolean sched,
        HealthSettings health,
        AnswerSettings answers,
        MarkSettings marks,
        ControlSettings control,
        boolean nodeReports) {

    private static final int MAX_SLOTS = 1 << 20;

    public ProbeSettings {
        check(slots > 0 && slots <= MAX_SLOTS, "slots", slots);
        check(congestedFactor > 0, "congestedFactor", congestedFactor);
        check(toMicros(congestedRtt) > 0, "congestedRtt", congestedRtt);
        check(toMicros(congestedFloor) > 0, "congestedFloor", congestedFloor);
        check(!delayedAck.isNegative(), "delayedAck", delayedAck);
        check(stallAfter.compareTo(Duration.ofMillis(1)) >= 0, "stallAfter", stallAfter);
    }

    /** The design's starting values for this table and cgroup. */
    public static ProbeSettings defaults(Path table, Path cgroup) {
        return new ProbeSettings(
                table,
                4096,
                cgroup,
                Duration.ofMillis(50),
                Duration.ofMillis(2),
                8,
                Duration.ofMillis(50),
                Duration.ofMillis(10),
                true,
                true,
                true,
                HealthSettings.defaults(),
                AnswerSettings.defaults(),
                MarkSettings.defaults(),
                ControlSettings.off(),
                true);
    }

    public ProbeSettings withSlots(int value) {
        return with(builder -> builder.slots = value);
    }

    public ProbeSettings withThresholds(Duration congestedRttValue, Duration stallAfterValue) {
        return with(builder -> {
            builder.congestedRtt = congestedRttValue;
            builder.stallAfter = stallAfterValue;
        });
    }

    public ProbeSettings withProbes(boolean flowValue, boolean queueValue, boolean schedValue) {
        return with(builder -> {
            builder.flow = flowValue;
            builder.queue = queueValue;
            builder.sched = schedValue;
        });
    }

    public ProbeSettings withHealth(HealthSettings value) {
        return with(builder -> builder.health = value);
    }

    public ProbeSettings withAnswers(AnswerSettings value) {
        return with(builder -> builder.answers = value);
    }

    public ProbeSettings withMarks(MarkSettings value) {
        return with(builder -> builder.marks = value);
    }

    public ProbeSettings withControl(ControlSettings value) {
        return with(builder -> builder.control = value);
    }

    /** Without, every peer is known by what it says alone, as if it lived on another node. */
    public ProbeSettings withNodeReports(boolean value) {
        return with(builder -> builder.nodeReports = value);
    }

    private ProbeSettings with(Consumer<Builder> change) {
        Builder builder = new Builder(this);
        change.accept(builder);
        return builder.build();
    }

    /** What a copy may have otherwise than its original. Not thread-safe. */
    private static final class Builder {
        private final ProbeSettings original;
        private int slots;
        private Duration congestedRtt;
        private Duration stallAfter;
        private boolean flow;
        private boolean queue;
        private boolean sched;
        private HealthSettings health;
        private AnswerSettings answers;
        private MarkSettings marks;
        private ControlSettings control;
        private boolean nodeReports;

        Builder(ProbeSettings original) {
            this.original = original;
            slots = original.slots;
            congestedRtt = original.congestedRtt;
            stallAfter = original.stallAfter;
            flow = original.flow;
            queue = original.queue;
            sched = original.sched;
            health = original.health;
            answers = original.answers;
            marks = original.marks;
            control = original.control;
            nodeReports = original.nodeReports;
        }

        ProbeSettings build() {
            return new ProbeSettings(
                    original.table,
                    slots,
                    original.cgroup,
                    congestedRtt,
                    original.congestedFloor,
                    original.congestedFactor,
                    original.delayedAck,
                    stallAfter,
                    flow,
                    queue,
                    sched,
                    health,
                    answers,
                    marks,
                    control,
                    nodeReports);
        }
    }

    /** In the order that the native side documents. */
    long[] numbers() {
        return new long[] {
            slots,
            toMicros(congestedRtt),
            toMicros(congestedFloor),
            congestedFactor,
            toMicros(delayedAck),
            stallAfter.toNanos(),
            toMicros(health.delayedAck()),
            nodeReports ? 1 : 0,
            flow ? 1 : 0,
            queue ? 1 : 0,
            sched ? 1 : 0,
            health.enabled() ? 1 : 0,
            answers.http() ? 1 : 0,
            answers.tls() ? 1 : 0,
            marks.enabled() ? 1 : 0,
            control.enabled() ? 1 : 0
        };
    }

    private static long toMicros(Duration duration) {
        return Math.min(duration.toNanos() / 1000, Integer.MAX_VALUE);
    }

    private static void check(boolean valid, String name, Object value) {
        if (!valid) {
            throw new IllegalArgumentException(name + " must not be " + value);
        }
    }
}

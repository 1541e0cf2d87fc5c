// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link Live} demo stands, for its page.
 *
 * @param arm the one that runs
 * @param arms those that can run here
 * @param active faults that are on
 * @param possible faults that can be
 * @param agent null where there is none
 * @param served requests by service and instance, of services that a fault may hit
 * @param loaded whether checkouts are still sent
 */
record LiveState(
        Arm arm,
        List<Arm> arms,
        Set<Fault> active,
        Set<Fault> possible,
        @Nullable AgentSwitch agent,
        Map<String, Map<String, Long>> served,
        LiveFigures figures,
        boolean loaded) {

    static final String NO_AGENT = "no agent runs here: it needs root, and a demo without --no-kernel";
    private static final String NEEDS_ROOT = "needs root";

    String json() {
        return "{\"arm\":%s,\"arms\":[%s],\"faults\":[%s],\"agent\":%s,\"served\":%s,\"rate\":%s,\"kept\":%d,\"load\":%s}"
                .formatted(
                        Json.quote(arm.label()),
                        list(shown(), this::json),
                        list(List.of(Fault.values()), this::json),
                        agentJson(),
                        object(served, counts -> object(counts, String::valueOf)),
                        Json.number(figures.rate()),
                        LiveFigures.KEPT,
                        loaded);
    }

    /** Those that run here, and the one that could: what is missing is said, not hidden. */
    private List<Arm> shown() {
        List<Arm> shown = new ArrayList<>(arms);
        if (!shown.contains(Arm.KERNEL)) {
            shown.add(Arm.KERNEL);
        }
        return shown;
    }

    private String json(Arm one) {
        Figures of = figures.of(one);
        return "{\"name\":%s,\"why\":%s,\"requests\":%d,\"errors\":%d,\"millis\":[%s]}"
                .formatted(
                        Json.quote(one.label()),
                        Json.quote(arms.contains(one) ? "" : NO_AGENT),
                        of.requests(),
                        of.errors(),
                        list(List.of(50.0, 90.0, 99.0, 99.9), percent -> Json.number(of.millis(percent))));
    }

    private String json(Fault fault) {
        return "{\"name\":%s,\"instance\":%s,\"what\":%s,\"on\":%s,\"why\":%s}"
                .formatted(
                        Json.quote(fault.label()),
                        Json.quote(fault.instance()),
                        Json.quote(fault.description()),
                        active.contains(fault),
                        Json.quote(possible.contains(fault) ? "" : NEEDS_ROOT));
    }

    private String agentJson() {
        return "{\"on\":%s,\"why\":%s}"
                .formatted(agent != null && agent.isOn(), Json.quote(agent == null ? NO_AGENT : ""));
    }

    private static <T> String list(List<T> items, Function<T, String> json) {
        return items.stream().map(json).collect(Collectors.joining(","));
    }

    private static <T> String object(Map<String, T> fields, Function<T, String> json) {
        return fields.entrySet().stream()
                .map(field -> Json.quote(field.getKey()) + ":" + json.apply(field.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }
}

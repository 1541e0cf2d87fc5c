// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.stream;

import io.aether.agent.bpf.Edge;
import io.aether.core.table.TableLayout;
import java.time.Instant;

/**
 * An edge as JSON. Written by hand because the first edge after a start must not wait for a mapper to warm up; there is
 * nothing to escape, as it holds only numbers, addresses and names from here.
 */
final class EdgeJson {
    private EdgeJson() {}

    /**
     * @param name {@code congested}, {@code stalled}, {@code gone} or {@code cleared}
     * @param was what is cleared; else the same as the name
     */
    static String of(Edge edge, String name, String was, Instant time) {
        boolean local = edge.kind() == TableLayout.KIND_LOCAL;
        StringBuilder json = new StringBuilder(384);
        json.append("{\"edge\":\"").append(name);
        json.append("\",\"condition\":\"").append(was);
        json.append("\",\"time\":\"").append(time);
        json.append("\",\"monotonicNanos\":").append(edge.timeNanos());
        json.append(",\"endpoint\":{\"kind\":\"").append(local ? "local" : "peer");
        json.append("\",\"netns\":").append(edge.netns());
        json.append(",\"address\":\"").append(address(edge, local));
        json.append("\",\"port\":").append(edge.address().port());
        json.append("},\"values\":{");
        if (local) {
            json.append("\"unread\":").append(edge.unread());
        } else {
            json.append("\"rttMicros\":").append(edge.rttMicros());
            json.append(",\"minRttMicros\":").append(edge.minRttMicros());
        }
        json.append(",\"stallAgeMicros\":").append(edge.stallAgeMicros());
        json.append(",\"sojournMicros\":").append(edge.sojournMicros());
        json.append(",\"source\":\"").append(source(edge.source()));
        return json.append("\"}}").toString();
    }

    /** As in the list of endpoints. */
    private static String address(Edge edge, boolean local) {
        boolean any = local && edge.address().address().isAnyLocalAddress();
        return any ? "*" : edge.address().address().getHostAddress();
    }

    private static String source(int source) {
        return switch (source) {
            case TableLayout.FROM_NODE -> "node";
            case TableLayout.FROM_OPTION -> "option";
            default -> "none";
        };
    }
}

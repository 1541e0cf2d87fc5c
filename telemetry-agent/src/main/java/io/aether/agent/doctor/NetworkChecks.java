// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.doctor;

import java.util.List;

/** Settings of TCP that signals depend on. */
final class NetworkChecks {
    private static final String GROUP = "network";
    private static final String IPV4 = "/proc/sys/net/ipv4/";

    private NetworkChecks() {}

    static List<Check> checks(Host host) {
        String available = host.read(IPV4 + "tcp_available_congestion_control");
        String allowed = host.read(IPV4 + "tcp_allowed_congestion_control");
        return List.of(
                ecn(host.read(IPV4 + "tcp_ecn")),
                Check.ok(
                        GROUP,
                        "congestion control",
                        host.read(IPV4 + "tcp_congestion_control") + " (available: " + available + "; for everybody: "
                                + allowed + ")"));
    }

    private static Check ecn(String setting) {
        return switch (setting) {
            case "0" -> Check.note(GROUP, "tcp_ecn", "0: off", "sysctl -w net.ipv4.tcp_ecn=1");
            case "1" -> Check.ok(GROUP, "tcp_ecn", "1: asked for and granted");
            case "2" -> Check.ok(GROUP, "tcp_ecn", "2: granted, and asked for where both ends have an agent");
            default -> Check.ok(GROUP, "tcp_ecn", setting.isEmpty() ? "unknown" : setting);
        };
    }
}

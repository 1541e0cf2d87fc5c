// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Where the congestion control {@code bpf_aether} is used. Immutable.
 *
 * @param enabled whether to load the cc probe
 * @param cgroups directories of the version 2 cgroups whose new connections it takes, absolute or below the watched one; the
 *     watched one itself when empty; at most 8
 * @param networks of the peers towards which it is used, such as {@code 10.0.0.0/8}; at most 256. All of them should be a
 *     round trip of less than {@code rtoMin} away
 * @param rtoMin the least retransmission timeout towards them, between 4 ms and 1 s; zero leaves it to the kernel (200 ms)
 */
public record ControlSettings(boolean enabled, List<Path> cgroups, List<String> networks, Duration rtoMin) {
    /** The private ranges, without loopback, which no congestion control helps. */
    public static final List<String> PRIVATE = List.of("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7");

    private static final int MAX_NETWORKS = 256;
    private static final int MAX_CGROUPS = 8;
    private static final Duration SHORTEST = Duration.ofMillis(4);
    private static final Duration LONGEST = Duration.ofSeconds(1);

    public ControlSettings {
        cgroups = List.copyOf(cgroups);
        networks = List.copyOf(networks);
        networks.forEach(Prefix::parse);
        if (networks.size() > MAX_NETWORKS) {
            throw new IllegalArgumentException("networks must not be more than " + MAX_NETWORKS);
        }
        if (cgroups.size() > MAX_CGROUPS) {
            throw new IllegalArgumentException("cgroups must not be more than " + MAX_CGROUPS);
        }
        if (!isRtoMin(rtoMin)) {
            throw new IllegalArgumentException("rtoMin must not be " + rtoMin);
        }
    }

    /** Nobody opted in. */
    public static ControlSettings off() {
        return new ControlSettings(false, List.of(), PRIVATE, Duration.ofMillis(10));
    }

    /** For the connections of these cgroups, or of all that are watched, with the usual values. */
    public static ControlSettings on(Path... cgroups) {
        return new ControlSettings(true, List.of(cgroups), PRIVATE, off().rtoMin());
    }

    /** Whether these can be the networks. */
    public static boolean areNetworks(List<String> networks) {
        try {
            return !off().withNetworks(networks).enabled();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Whether this can be the least timeout. */
    public static boolean isRtoMin(Duration value) {
        return value.isZero() || (value.compareTo(SHORTEST) >= 0 && value.compareTo(LONGEST) <= 0);
    }

    public ControlSettings withNetworks(List<String> value) {
        return new ControlSettings(enabled, cgroups, value, rtoMin);
    }

    /** As the native side documents. */
    String[] cgroupNames(Path watched) {
        List<Path> all = cgroups.isEmpty() ? List.of(watched) : cgroups;
        return all.stream().map(path -> watched.resolve(path).toString()).toArray(String[]::new);
    }

    /** As the native side documents. */
    byte[] networkBytes() {
        ByteBuffer bytes = ByteBuffer.allocate(networks.size() * Prefix.BYTES);
        networks.forEach(text -> Prefix.parse(text).put(bytes));
        return bytes.array();
    }
}

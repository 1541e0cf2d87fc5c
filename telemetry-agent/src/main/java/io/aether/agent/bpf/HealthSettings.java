// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/**
 * How peers tell each other their health in a TCP option. Immutable.
 *
 * @param enabled whether to load the health probe
 * @param prefixes networks whose hosts are told and listened to, such as {@code 10.0.0.0/8} or {@code fc00::/7}; at most
 *     256
 * @param delayedAck the longest that this node's servers hold back an acknowledgement towards a peer that listens; zero
 *     leaves it to the kernel (40 ms and more). The kernel takes no less than two of its ticks: below 8 ms nothing changes
 *     at 250 Hz
 */
public record HealthSettings(boolean enabled, List<String> prefixes, Duration delayedAck) {
    /** The private ranges and loopback. */
    public static final List<String> PRIVATE =
            List.of("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "fc00::/7", "::1/128");

    private static final int MAX_PREFIXES = 256;

    public HealthSettings {
        prefixes = List.copyOf(prefixes);
        prefixes.forEach(Prefix::parse);
        if (prefixes.size() > MAX_PREFIXES) {
            throw new IllegalArgumentException("prefixes must not be more than " + MAX_PREFIXES);
        }
        if (delayedAck.isNegative() || delayedAck.compareTo(Duration.ofMillis(200)) > 0) {
            throw new IllegalArgumentException("delayedAck must not be " + delayedAck);
        }
    }

    /** Whether these can be prefixes. */
    public static boolean areValid(List<String> prefixes) {
        try {
            return defaults().withPrefixes(prefixes).enabled();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** On, for {@link #PRIVATE}, with the shortest acknowledgements at 250 Hz. */
    public static HealthSettings defaults() {
        return new HealthSettings(true, PRIVATE, Duration.ofMillis(8));
    }

    public HealthSettings withEnabled(boolean value) {
        return new HealthSettings(value, prefixes, delayedAck);
    }

    public HealthSettings withPrefixes(List<String> value) {
        return new HealthSettings(enabled, value, delayedAck);
    }

    public HealthSettings withDelayedAck(Duration value) {
        return new HealthSettings(enabled, prefixes, value);
    }

    /** As the native side documents. */
    byte[] prefixBytes() {
        ByteBuffer bytes = ByteBuffer.allocate(prefixes.size() * Prefix.BYTES);
        prefixes.forEach(text -> Prefix.parse(text).put(bytes));
        return bytes.array();
    }
}

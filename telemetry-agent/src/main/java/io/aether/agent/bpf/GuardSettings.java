// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What the guard needs to know from its start on. Immutable.
 *
 * @param interfaces names of those whose arriving packets are judged, at most 32
 * @param enforce whether verdicts drop packets; else they are only counted
 * @param management networks that always pass, at most 256
 * @param synRate new connections that a source may ask for in a second, 1 to 1,000,000; an IPv6 source is its /64
 * @param synBurst ... and in advance of that rate, 1 to 1,000,000
 * @param maxEntries networks that each list can hold, for IPv4 and IPv6 each
 * @param connections connections that are remembered, for IPv4 and IPv6 each
 * @param cookieRate connections that all sources together may ask for in a second; beyond it a listener's answers are
 *     SYN cookies, made before the network stack; 0 to 10,000,000, 0 leaves cookies to the kernel
 */
public record GuardSettings(
        List<String> interfaces,
        boolean enforce,
        List<Cidr> management,
        int synRate,
        int synBurst,
        int maxEntries,
        int connections,
        int cookieRate) {
    /** Of {@code struct guard}. */
    public static final int MAX_INTERFACES = 32;

    /** Of {@code struct guard}. */
    public static final int MAX_MANAGEMENT = 256;

    private static final int MAX_RATE = 1_000_000;
    private static final int MAX_COOKIE_RATE = 10_000_000;

    public GuardSettings {
        interfaces = List.copyOf(interfaces);
        management = List.copyOf(management);
        check(interfaces.size() <= MAX_INTERFACES, "interfaces", interfaces.size());
        check(management.size() <= MAX_MANAGEMENT, "management", management.size());
        check(synRate > 0 && synRate <= MAX_RATE, "synRate", synRate);
        check(synBurst > 0 && synBurst <= MAX_RATE, "synBurst", synBurst);
        check(maxEntries > 0, "maxEntries", maxEntries);
        check(connections > 0, "connections", connections);
        check(cookieRate >= 0 && cookieRate <= MAX_COOKIE_RATE, "cookieRate", cookieRate);
    }

    /** In the order that the native side documents. */
    long[] numbers() {
        long gap = TimeUnit.SECONDS.toNanos(1) / synRate;
        long cookieGap = cookieRate == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) / cookieRate;
        return new long[] {enforce ? 1 : 0, gap, gap * synBurst, maxEntries, connections, cookieGap};
    }

    private static void check(boolean valid, String name, int value) {
        if (!valid) {
            throw new IllegalArgumentException(name + " must not be " + value);
        }
    }
}

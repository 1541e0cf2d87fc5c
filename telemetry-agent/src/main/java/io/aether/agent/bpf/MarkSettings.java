// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/**
 * How endpoints of this node mark their answers by their own queue, and what becomes of marks that arrive. Immutable.
 *
 * @param enabled whether to load the ecn probe
 * @param from the queue wait above which answers are marked; at least 1 ms. An application may raise it for itself
 * @param all the queue wait from which every answer is; longer than {@code from}. An application may raise it too
 * @param scrub whether marks that a peer's own pressure explains end at the interface of their receiver, so that they do
 *     not slow down the peer's TCP
 * @param scrubPrefixes networks whose marks end there whatever their hosts say of themselves; at most 256
 * @param ask whether connections to peers whose agent was heard ask for ECN, and those from them are granted it
 */
public record MarkSettings(
        boolean enabled, Duration from, Duration all, boolean scrub, List<String> scrubPrefixes, boolean ask) {
    private static final int MAX_PREFIXES = 256;
    private static final Duration LONGEST = Duration.ofMinutes(1);

    public MarkSettings {
        scrubPrefixes = List.copyOf(scrubPrefixes);
        scrubPrefixes.forEach(Prefix::parse);
        if (scrubPrefixes.size() > MAX_PREFIXES) {
            throw new IllegalArgumentException("scrubPrefixes must not be more than " + MAX_PREFIXES);
        }
        if (from.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("from must not be " + from);
        }
        if (all.compareTo(from) <= 0 || all.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("all must not be " + all);
        }
    }

    /** On, from 5 ms to 20 ms of queue, marks end where the peer's own word explains them, and ECN is asked for. */
    public static MarkSettings defaults() {
        return new MarkSettings(true, Duration.ofMillis(5), Duration.ofMillis(20), true, List.of(), true);
    }

    /** Nothing is marked, taken off or asked for. */
    public static MarkSettings off() {
        MarkSettings settings = defaults();
        return new MarkSettings(false, settings.from, settings.all, false, List.of(), false);
    }

    /** Whether these can be prefixes. */
    public static boolean areValid(List<String> prefixes) {
        try {
            return defaults().withScrub(true, prefixes).scrub();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    public MarkSettings withThresholds(Duration fromValue, Duration allValue) {
        return new MarkSettings(enabled, fromValue, allValue, scrub, scrubPrefixes, ask);
    }

    public MarkSettings withAsk(boolean value) {
        return new MarkSettings(enabled, from, all, scrub, scrubPrefixes, value);
    }

    public MarkSettings withScrub(boolean value, List<String> prefixes) {
        return new MarkSettings(enabled, from, all, value, prefixes, ask);
    }

    /** As the native side documents. */
    long[] numbers() {
        return new long[] {from.toNanos() / 1000, all.toNanos() / 1000, scrub ? 1 : 0, enabled && ask ? 1 : 0};
    }

    /** As the native side documents. */
    byte[] prefixBytes() {
        ByteBuffer bytes = ByteBuffer.allocate(scrubPrefixes.size() * Prefix.BYTES);
        scrubPrefixes.forEach(text -> Prefix.parse(text).put(bytes));
        return bytes.array();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.context;

import io.aether.core.limit.Priority;
import io.aether.starter.context.IgnoredHeaders.Reason;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The context of a request in HTTP headers. Whatever arrives is bounded: a value that there cannot be is ignored and
 * counted, never an error. Thread-safe.
 *
 * <p>The deadline travels as the time that is left, as in gRPC: clocks of two hosts need not agree, and what the network takes
 * is a gift.
 */
public final class ContextHeaders {
    /** Of requests: a {@link Priority} by its name, whatever the case. */
    public static final String PRIORITY = "X-Aether-Priority";
    /** Of requests: milliseconds until nobody waits any more, 0 to {@link #MOST_MILLIS}. */
    public static final String DEADLINE = "X-Aether-Deadline";
    /** Of requests: the rank of the user in units of 2^-24, 0 to 2^24 - 1; says nothing of who he is. */
    public static final String USER = "X-Aether-User";
    /** Of answers: pressure of the service and of the branches that it cannot do without, 0 to 255. */
    public static final String PRESSURE = "X-Aether-Pressure";

    /** The headers of requests. */
    public static final List<String> OF_REQUESTS = List.of(PRIORITY, DEADLINE, USER);

    /** A day: who waits longer has no deadline. */
    public static final long MOST_MILLIS = TimeUnit.DAYS.toMillis(1);

    private static final int RANKS = 1 << 24;
    private static final Priority[] PRIORITIES = Priority.values();
    private static final Map<Priority, String> NAMES = names();

    private ContextHeaders() {}

    /** A priority from its header; null if it says none. */
    public static @Nullable Priority priority(@Nullable String value, IgnoredHeaders ignored) {
        if (value == null) {
            return null;
        }
        for (Priority priority : PRIORITIES) {
            if (priority.name().equalsIgnoreCase(value)) {
                return priority;
            }
        }
        ignored.count(Reason.MALFORMED);
        return null;
    }

    /** A deadline from its header, on the clock of {@code now}; {@link RequestContext#NO_DEADLINE} if it says none. */
    public static long deadline(@Nullable String value, long now, IgnoredHeaders ignored) {
        long millis = number(value, MOST_MILLIS, ignored);
        return millis < 0 ? RequestContext.NO_DEADLINE : now + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** A user's rank from its header; 0 if it says none. */
    public static float userRank(@Nullable String value, IgnoredHeaders ignored) {
        long rank = number(value, RANKS - 1, ignored);
        return rank < 0 ? 0 : (float) rank / RANKS;
    }

    /** Pressure from the header of an answer, 0 to 255; -1 if it says none. */
    public static int pressure(@Nullable String value, IgnoredHeaders ignored) {
        return (int) number(value, ServerWork.MOST_PRESSURE, ignored);
    }

    /**
     * Hands over the headers for a request that is made for another one, name and value; none for {@link RequestContext#NONE}.
     *
     * @param now on the clock of the context's deadline
     */
    public static void write(RequestContext context, long now, BiConsumer<String, String> headers) {
        if (context == RequestContext.NONE) {
            return;
        }
        headers.accept(PRIORITY, Objects.requireNonNull(NAMES.get(context.priority())));
        if (context.hasDeadline()) {
            headers.accept(DEADLINE, Long.toString(millis(context.remainingNanos(now))));
        }
        if (context.userRank() > 0) {
            headers.accept(USER, Integer.toString((int) Math.min(context.userRank() * RANKS, RANKS - 1)));
        }
    }

    /** Rounded up: whoever has half a millisecond left is not late yet. */
    private static long millis(long nanos) {
        return Math.min(MOST_MILLIS, Math.max(0, (nanos + 999_999) / 1_000_000));
    }

    /** Digits only, at most {@code most}; -1 otherwise. */
    private static long number(@Nullable String value, long most, IgnoredHeaders ignored) {
        if (value == null) {
            return -1;
        }
        long number = value.isEmpty() || value.length() > 10 ? -1 : 0;
        for (int i = 0; i < value.length() && number >= 0; i++) {
            int digit = value.charAt(i) - '0';
            number = digit >= 0 && digit <= 9 ? number * 10 + digit : -1;
        }
        if (number < 0 || number > most) {
            ignored.count(Reason.MALFORMED);
            return -1;
        }
        return number;
    }

    private static Map<Priority, String> names() {
        Map<Priority, String> names = new EnumMap<>(Priority.class);
        for (Priority priority : PRIORITIES) {
            names.put(priority, priority.name().toLowerCase(Locale.ROOT));
        }
        return names;
    }
}

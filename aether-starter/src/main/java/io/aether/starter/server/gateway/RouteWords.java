// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server.gateway;

import io.aether.core.limit.Priority;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/** What the metadata of a gateway's route says of its requests. */
public final class RouteWords {
    /** A priority by its name. */
    public static final String PRIORITY = "aether-priority";
    /** How long clients wait at most, such as {@code 2s}. */
    public static final String DEADLINE = "aether-deadline";

    private static final Priority[] PRIORITIES = Priority.values();

    private RouteWords() {}

    /**
     * The priority of the route's requests; null if it says none.
     *
     * @throws IllegalArgumentException when it says one that there is not
     */
    public static @Nullable Priority priority(Map<String, Object> metadata) {
        Object said = metadata.get(PRIORITY);
        if (said == null || said instanceof Priority) {
            return (Priority) said;
        }
        String name = said.toString();
        for (Priority priority : PRIORITIES) {
            if (priority.name().equalsIgnoreCase(name)
                    || priority.name().replace('_', '-').equalsIgnoreCase(name)) {
                return priority;
            }
        }
        throw new IllegalArgumentException(PRIORITY + " is \"" + name + "\". Allowed: "
                + Arrays.stream(PRIORITIES)
                        .map(priority -> priority.name().toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining(", ")));
    }

    /**
     * How long the clients of the route's requests wait at most, in ns; 0 if it does not say.
     *
     * @throws IllegalArgumentException when it is no time above 0
     */
    public static long withinNanos(Map<String, Object> metadata) {
        Object said = metadata.get(DEADLINE);
        if (said == null) {
            return 0;
        }
        long nanos;
        try {
            nanos = (said instanceof Duration time ? time : DurationStyle.detectAndParse(said.toString())).toNanos();
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IllegalArgumentException(DEADLINE + " is \"" + said + "\". Write a time, such as 2s", e);
        }
        if (nanos <= 0) {
            throw new IllegalArgumentException(DEADLINE + " is \"" + said + "\". It has to be above 0");
        }
        return nanos;
    }
}

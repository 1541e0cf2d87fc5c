// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.inflight;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/** The Retry-After header (RFC 9110, 10.2.3): seconds or a date. */
final class RetryAfter {

    /** A server cannot send its clients away for longer: the header may be garbage. */
    static final Duration MAX = Duration.ofMinutes(5);

    private static final int MAX_DIGITS = 9;

    private RetryAfter() {}

    /** The wait in nanoseconds, from 0 (none, or not readable) to {@link #MAX}. */
    static long nanos(@Nullable String value) {
        return value == null || value.isEmpty() ? 0 : nanos(value.strip(), Instant.now());
    }

    static long nanos(String value, Instant now) {
        Duration wait = value.chars().allMatch(c -> c >= '0' && c <= '9') ? seconds(value) : until(value, now);
        return wait.isNegative() ? 0 : Math.min(wait.toNanos(), MAX.toNanos());
    }

    private static Duration seconds(String digits) {
        if (digits.isEmpty()) {
            return Duration.ZERO;
        }
        return digits.length() > MAX_DIGITS ? MAX : Duration.ofSeconds(Long.parseLong(digits));
    }

    private static Duration until(String date, Instant now) {
        try {
            Duration wait = Duration.between(
                    now,
                    ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toInstant());
            return wait.compareTo(MAX) > 0 ? MAX : wait;
        } catch (DateTimeParseException notADate) {
            return Duration.ZERO;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.inflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Seconds, dates and garbage. */
class RetryAfterTests {

    @ParameterizedTest
    @CsvSource({
        "3, 3",
        "0, 0",
        "Wed, 0",
        "-5, 0",
        "1e9, 0",
        "99999999999999999999, 300",
        "400, 300",
        "'Sun, 29 Nov 2026 12:00:10 GMT', 10",
        "'Sun, 29 Nov 2026 11:00:00 GMT', 0",
        "'Sun, 29 Nov 2093 11:00:00 GMT', 300",
    })
    void reads(String header, long seconds) {
        assertThat(Duration.ofNanos(RetryAfter.nanos(header, Instant.parse("2026-11-29T12:00:00Z"))))
                .isEqualTo(Duration.ofSeconds(seconds));
    }

    @Test
    void nothingIsNothing() {
        assertThat(RetryAfter.nanos(null)).isZero();
        assertThat(RetryAfter.nanos("")).isZero();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.core.pick.Mode;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import java.util.Set;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.http.HttpMethod;
import org.springframework.validation.annotation.Validated;

/**
 * Configuration of second attempts.
 *
 * @param mode Whether calls that wait too long are sent a second time, elsewhere: "on" they are, "observe" it is counted which would be, "off" none is watched.
 * @param budget Most second attempts for each first one.
 * @param minDelay Time before which a second attempt is only sent when the kernel says that the first one's instance is stalled.
 * @param methods Methods whose requests may be sent twice: of GET, HEAD, OPTIONS, PUT and DELETE.
 */
@Validated
@ConfigurationProperties("aether.hedge")
public record HedgeProperties(
        @DefaultValue("off") @NotNull Mode mode,

        @DefaultValue("0.05") @DecimalMin("0.0001") @DecimalMax("0.05")
        double budget,

        @DefaultValue("1ms") @NotNull @DurationMin(nanos = 100_000) @DurationMax(minutes = 1)
        Duration minDelay,

        @DefaultValue({"GET", "HEAD", "OPTIONS"}) @NotNull Set<HttpMethod> methods) {

    private static final Set<HttpMethod> IDEMPOTENT =
            Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.PUT, HttpMethod.DELETE);

    @AssertTrue(
            message = "may be GET, HEAD, OPTIONS, PUT and DELETE: a request of any other method must not be sent twice")
    boolean isMethodsIdempotent() {
        return IDEMPOTENT.containsAll(methods);
    }
}

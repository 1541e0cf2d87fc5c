// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.core.pick.Mode;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.http.HttpMethod;

/**
 * Configuration of second attempts.
 *
 * @param mode Whether calls that wait too long are sent a second time, elsewhere: "on" they are, "observe" it is counted which would be, "off" none is watched.
 * @param budget Most second attempts for each first one.
 * @param minDelay Time before which a second attempt is only sent when the kernel says that the first one's instance is stalled.
 * @param methods Methods whose requests may be sent twice: of GET, HEAD, OPTIONS, PUT and DELETE.
 */
@ConfigurationProperties("aether.hedge")
public record HedgeProperties(
        @DefaultValue("off") Mode mode,
        @DefaultValue("0.05") double budget,
        @DefaultValue("1ms") Duration minDelay,
        @DefaultValue({"GET", "HEAD", "OPTIONS"}) Set<HttpMethod> methods)
        implements SelfChecked {

    private static final Set<HttpMethod> IDEMPOTENT =
            Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.PUT, HttpMethod.DELETE);

    @Override
    public void check(Checks checks) {
        check(checks, budget, minDelay);
        checks.that(
                "methods",
                IDEMPOTENT.containsAll(methods),
                "may be GET, HEAD, OPTIONS, PUT and DELETE: a request of any other method must not be sent twice");
    }

    /** What holds for a service of its own, too. */
    static void check(Checks checks, @Nullable Double budget, @Nullable Duration minDelay) {
        checks.range("budget", budget, 0.0001, 0.05);
        checks.range("minDelay", minDelay, Duration.ofNanos(100_000), Duration.ofMinutes(1));
    }
}

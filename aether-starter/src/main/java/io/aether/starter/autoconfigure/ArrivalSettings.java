// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.starter.diagnostics.WrongSettingException;
import io.aether.starter.server.Arrivals;
import io.aether.starter.server.RouteRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/** Turns what the operator wrote into what is judged by. */
final class ArrivalSettings {

    private ArrivalSettings() {}

    /** @param inside whether this server's clients are other services, and not the outside */
    static Arrivals.Settings of(AetherServerProperties properties, boolean inside) {
        Boolean trust = properties.trustHeaders();
        return new Arrivals.Settings(
                trust == null ? inside : trust,
                properties.priority(),
                nanos(properties.deadline()),
                rules(properties.routes()),
                List.copyOf(properties.exempt()));
    }

    private static List<RouteRule> rules(List<AetherServerProperties.Route> routes) {
        List<RouteRule> rules = new ArrayList<>();
        for (AetherServerProperties.Route route : routes) {
            try {
                rules.add(new RouteRule(
                        PathPatternParser.defaultInstance.parse(route.path()),
                        route.priority(),
                        nanos(route.deadline())));
            } catch (PatternParseException e) {
                throw new WrongSettingException(
                        "aether.server.routes[" + rules.size() + "].path is \"" + route.path()
                                + "\", which is no pattern: " + e.getMessage(),
                        e);
            }
        }
        return List.copyOf(rules);
    }

    private static long nanos(@Nullable Duration time) {
        return time == null ? 0 : time.toNanos();
    }
}

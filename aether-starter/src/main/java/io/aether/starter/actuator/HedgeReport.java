// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.actuator;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.aether.core.hedge.HedgerSnapshot;
import io.aether.core.pick.Mode;
import io.aether.starter.hedge.Hedges;
import io.aether.starter.hedge.Hedges.RouteHedger;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the endpoint says of second attempts. Counts are totals since the route's first watched call.
 *
 * @param mode the common mode
 * @param calls first attempts that were watched, of all routes
 * @param sent second attempts, of all routes; in mode observe, that would have been sent
 * @param services by id
 */
public record HedgeReport(String mode, long calls, long sent, Map<String, Service> services) {

    private static final double NANOS_PER_MILLI = 1e6;

    /** One service and its groups of routes. */
    public record Service(String mode, Map<String, Group> groups) {}

    /**
     * One group of routes.
     *
     * @param delayMs how long a first attempt may take until the clock sends a second; missing while not known
     * @param slow second attempts that the clock asked for
     * @param stalled second attempts that the kernel asked for
     * @param won second attempts that were answered first
     * @param overBudget calls denied one for want of budget
     * @param marked calls denied one because the branch was marked or had used up its retries
     * @param nobody calls denied one because no other instance was better off
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Group(
            @Nullable Double delayMs,
            long calls,
            long slow,
            long stalled,
            long won,
            long overBudget,
            long marked,
            long nobody) {}

    static HedgeReport of(Hedges hedges) {
        Map<String, Service> services = new TreeMap<>();
        long calls = 0;
        long sent = 0;
        for (RouteHedger route : hedges.all()) {
            HedgerSnapshot state = route.hedger().snapshot();
            calls += state.calls();
            sent += state.hedges();
            services.computeIfAbsent(
                            route.service(),
                            id -> new Service(lower(hedges.switches().of(id)), new TreeMap<>()))
                    .groups()
                    .put(route.group(), group(state));
        }
        return new HedgeReport(lower(hedges.switches().common()), calls, sent, services);
    }

    private static Group group(HedgerSnapshot state) {
        return new Group(
                state.delayNanos() == Long.MAX_VALUE ? null : state.delayNanos() / NANOS_PER_MILLI,
                state.calls(),
                state.slow(),
                state.stalled(),
                state.won(),
                state.overBudget(),
                state.marked(),
                state.nobody());
    }

    private static String lower(Mode mode) {
        return mode.name().toLowerCase(Locale.ROOT);
    }
}

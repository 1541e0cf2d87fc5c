// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.actuator;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.aether.core.limit.LimitLaw;
import io.aether.core.limit.LimiterSnapshot;
import io.aether.core.limit.Priority;
import io.aether.starter.limit.Branch;
import io.aether.starter.limit.BranchLimits;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the endpoint says of limits. Counts are totals since the branch's first call.
 *
 * @param mode the common mode
 * @param services by id
 * @param unlimited calls that nothing limits, because there are too many services or a limiter could not be made
 */
public record LimitReport(String mode, Map<String, Service> services, long unlimited) {

    /** One service and its groups of routes. */
    public record Service(String mode, Map<String, Group> groups) {}

    /**
     * One branch.
     *
     * @param rate requests per second that it may get; missing without limit
     * @param delivered answers per second
     * @param fraction share of answers that were marked or refused lately
     * @param rung the best way in which overload is told now: {@code marks}, {@code report}, {@code header} or {@code status}
     * @param heldBack requests held back here, by priority; in mode observe, that would have been
     * @param refused requests that the service refused
     * @param marked packets with a mark, of all clients on the node
     * @param clean packets without, that could have been marked
     * @param expired calls whose deadline had passed before
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Group(
            @Nullable Double rate,
            double delivered,
            double fraction,
            String rung,
            long inFlight,
            long sent,
            Map<String, Long> heldBack,
            long answered,
            long refused,
            long lost,
            long marked,
            long clean,
            long engagements,
            long expired,
            long retries,
            long retriesDenied) {}

    static LimitReport of(BranchLimits limits) {
        Map<String, Service> services = new TreeMap<>();
        for (String service : limits.serviceIds()) {
            services.put(service, new Service(lower(limits.switches().of(service)), new TreeMap<>()));
        }
        for (Branch branch : limits.all()) {
            Service service = services.get(branch.service());
            if (service != null) {
                service.groups().put(branch.group(), group(branch));
            }
        }
        return new LimitReport(lower(limits.switches().common()), services, limits.unlimitedTotal());
    }

    private static Group group(Branch branch) {
        LimiterSnapshot state = branch.limiter().snapshot();
        Map<String, Long> heldBack = new TreeMap<>();
        for (Priority priority : Priority.values()) {
            heldBack.put(lower(priority), branch.heldBack(priority));
        }
        return new Group(
                state.rate() == LimitLaw.OPEN ? null : state.rate(),
                state.delivered(),
                state.fraction(),
                lower(branch.limiter().rung()),
                state.inFlight(),
                state.sent(),
                heldBack,
                state.answered(),
                state.refused(),
                state.lost(),
                state.marked(),
                state.clean(),
                state.engagements(),
                branch.expired(),
                branch.retries().spentTotal(),
                branch.retries().deniedTotal());
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}

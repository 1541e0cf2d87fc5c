// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.actuator;

import io.aether.core.pick.Mode;
import io.aether.core.pick.Signals;
import io.aether.core.table.TableSource;
import io.aether.starter.balancer.ModeSwitches;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.hedge.Hedges;
import io.aether.starter.limit.BranchLimits;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The {@code aether} endpoint: explains where requests go and why, and switches who decides. Like every endpoint but health it
 * is reachable over HTTP only when {@code management.endpoints.web.exposure.include} names it.
 */
@Endpoint(id = "aether")
public final class AetherEndpoint {

    private final ServiceFleets fleets;
    private final TableSource table;
    private final @Nullable BranchLimits limits;
    private final @Nullable Hedges hedges;

    /** Creates the endpoint. */
    public AetherEndpoint(
            ServiceFleets fleets, TableSource table, @Nullable BranchLimits limits, @Nullable Hedges hedges) {
        this.fleets = fleets;
        this.table = table;
        this.limits = limits;
        this.hedges = hedges;
    }

    /** Everything there is to know. O(instances). */
    @ReadOperation
    public AetherReport report() {
        return AetherReport.of(fleets, table, limits, hedges);
    }

    /**
     * Changes the common policy, or that of one service.
     *
     * @param mode on, observe or off; left as it is when missing
     * @param signals kernel or application; left as it is when missing
     * @param limit whether calls are held back: on, observe or off; left as it is when missing
     * @param hedge whether calls that wait too long are sent twice: on, observe or off; left as it is when missing
     * @param service id of one service; all services that set nothing themselves when missing
     * @return the report, or status 400 with what was wrong
     */
    @WriteOperation
    public WebEndpointResponse<Object> change(
            @Nullable String mode,
            @Nullable String signals,
            @Nullable String limit,
            @Nullable String hedge,
            @Nullable String service) {
        try {
            Mode newMode = parse("mode", mode, Mode.class);
            Signals newSignals = parse("signals", signals, Signals.class);
            Mode newLimit = parse("limit", limit, Mode.class);
            Mode newHedge = parse("hedge", hedge, Mode.class);
            if (newMode == null && newSignals == null && newLimit == null && newHedge == null) {
                throw new IllegalArgumentException("Nothing to change: give mode, signals, limit, hedge, or several");
            }
            if (service != null && fleets.find(service) == null && (limits == null || !limits.knows(service))) {
                throw new IllegalArgumentException("Unknown service \"" + service + "\". Known: " + known());
            }
            changePolicy(newMode, newSignals, service);
            change(limits == null ? null : limits.switches(), newLimit, service);
            change(hedges == null ? null : hedges.switches(), newHedge, service);
        } catch (IllegalArgumentException e) {
            return new WebEndpointResponse<>(
                    Map.of("error", String.valueOf(e.getMessage())), WebEndpointResponse.STATUS_BAD_REQUEST);
        }
        return new WebEndpointResponse<>(report());
    }

    private void changePolicy(@Nullable Mode mode, @Nullable Signals signals, @Nullable String service) {
        if (mode == null && signals == null) {
            return;
        }
        if (service == null) {
            fleets.switches().change(mode, signals);
        } else {
            fleets.switches().change(service, mode, signals);
        }
    }

    private static void change(@Nullable ModeSwitches switches, @Nullable Mode mode, @Nullable String service) {
        if (mode == null || switches == null) {
            return;
        }
        if (service == null) {
            switches.change(mode);
        } else {
            switches.change(service, mode);
        }
    }

    private String known() {
        return fleets.all().stream().map(fleet -> fleet.service()).sorted().collect(Collectors.joining(", "));
    }

    private static <E extends Enum<E>> @Nullable E parse(String name, @Nullable String value, Class<E> type) {
        if (value == null) {
            return null;
        }
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equalsIgnoreCase(value)) {
                return constant;
            }
        }
        String allowed = Arrays.stream(type.getEnumConstants())
                .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
        throw new IllegalArgumentException("Unknown " + name + " \"" + value + "\". Allowed: " + allowed);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.hedge;

import io.aether.core.NanoClock;
import io.aether.core.hedge.HedgeSettings;
import io.aether.core.hedge.Hedger;
import io.aether.core.pick.Instance;
import io.aether.core.pick.Mode;
import io.aether.starter.balancer.ServiceFleet;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.limit.BranchLimits;
import io.aether.starter.limit.Passage;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;

/**
 * The hedgers of all routes that this application calls, and which calls they watch. One per application; thread-safe. A hedger
 * is made at the first call of its route that may be hedged; after that, finding it takes no lock.
 */
public final class Hedges {

    /** Request attribute of a WebClient: true says that the body's inserter can be run twice. Others can only be seen to be empty. */
    public static final String REPLAYABLE_BODY = Hedges.class.getName() + ".replayableBody";

    private static final String EVENT_STREAM = "text/event-stream";

    private final ConcurrentMap<String, ConcurrentMap<String, RouteHedger>> routes = new ConcurrentHashMap<>();
    private final List<Consumer<RouteHedger>> listeners = new CopyOnWriteArrayList<>();
    private final HedgeSwitches switches;
    private final HedgeSettings settings;
    private final Map<String, HedgeSettings> own;
    private final Set<HttpMethod> methods;
    private final NanoClock clock;
    private final ServiceFleets fleets;
    private final BranchLimits limits;
    private final HedgeTimer timer;

    /** A route's hedger. */
    public record RouteHedger(String service, String group, Hedger hedger) {}

    /**
     * Creates the empty set of hedgers.
     *
     * @param own settings of single services, by their id
     * @param methods those whose requests may be sent twice
     */
    public Hedges(
            HedgeSwitches switches,
            HedgeSettings settings,
            Map<String, HedgeSettings> own,
            Set<HttpMethod> methods,
            NanoClock clock,
            ServiceFleets fleets,
            BranchLimits limits,
            HedgeTimer timer) {
        this.switches = switches;
        this.settings = settings;
        this.own = Map.copyOf(own);
        this.methods = Set.copyOf(methods);
        this.clock = clock;
        this.fleets = fleets;
        this.limits = limits;
        this.timer = timer;
    }

    /** The modes in force. */
    public HedgeSwitches switches() {
        return switches;
    }

    /**
     * The hedge of a call that may be sent twice; null for one that may not: hedging or Aether's balancer is off for its service, it
     * has one instance, or the request is one that changes something, asks for a stream, or changes the protocol.
     *
     * @param url as the application wrote it, with the service's id as its host
     * @param first the instance that the first attempt goes to, null before it was chosen
     */
    public @Nullable Hedge of(
            HttpMethod method, URI url, HttpHeaders headers, Passage passage, Supplier<@Nullable Instance> first) {
        String service = url.getHost();
        if (service == null || !methods.contains(method)) {
            return null;
        }
        Mode mode = switches.of(service);
        ServiceFleet fleet = mode == Mode.OFF ? null : fleets.find(service);
        if (fleet == null
                || fleet.policy().mode() != Mode.ON
                || fleet.instances().size() < 2
                || isStream(headers)) {
            return null;
        }
        return new Hedge(hedger(service, limits.groupOf(url)), fleet, passage, first, mode, timer);
    }

    private static boolean isStream(HttpHeaders headers) {
        String accept = headers.getFirst(HttpHeaders.ACCEPT);
        // Not any Upgrade: the JDK's client offers HTTP/2 with each first request.
        return "websocket".equalsIgnoreCase(headers.getFirst(HttpHeaders.UPGRADE))
                || (accept != null && accept.contains(EVENT_STREAM));
    }

    private Hedger hedger(String service, String group) {
        ConcurrentMap<String, RouteHedger> groups = routes.get(service);
        RouteHedger known = groups == null ? null : groups.get(group);
        return known != null ? known.hedger() : add(service, group).hedger();
    }

    private RouteHedger add(String service, String group) {
        RouteHedger made = new RouteHedger(service, group, new Hedger(own.getOrDefault(service, settings), clock));
        RouteHedger earlier =
                routes.computeIfAbsent(service, id -> new ConcurrentHashMap<>()).putIfAbsent(group, made);
        if (earlier != null) {
            return earlier;
        }
        listeners.forEach(listener -> listener.accept(made));
        return made;
    }

    /** All routes of which a call was watched. */
    public List<RouteHedger> all() {
        return routes.values().stream()
                .flatMap(groups -> groups.values().stream())
                .toList();
    }

    /** Calls {@code listener} for every route, those of the past included. */
    public void onRoute(Consumer<RouteHedger> listener) {
        listeners.add(listener);
        all().forEach(listener);
    }
}

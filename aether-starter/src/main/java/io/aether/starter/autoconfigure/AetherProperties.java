// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.core.pick.Mode;
import io.aether.core.pick.Signals;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.http.HttpMethod;

/**
 * Configuration of Aether in an application.
 *
 * @param enabled Whether Aether takes part at all. When false, Spring's own beans are left alone.
 * @param mode Who chooses instances: "on" Aether, "observe" Spring while Aether records what it would have done, "off" Spring.
 * @param signals What choices rest on: "application" for what this process sees, "kernel" for that and the health table.
 * @param zone Zone of this application: instances whose metadata names another get requests when those of this one heat. That of spring.cloud.loadbalancer.zone when it is not set; empty for none.
 * @param table Health table of the node.
 * @param pick Constants of the law that chooses.
 * @param warmUp Requests to instances that have just started, before users' requests.
 * @param inFlight Counting of requests in flight.
 * @param decisions Log of decisions in the actuator endpoint.
 * @param metrics Micrometer meters.
 * @param observation What observations of client requests tell.
 * @param limit Limiters of calls.
 * @param hedge Second attempts of calls.
 * @param services Settings of single services, by their id; what is left out follows the common setting.
 */
@ConfigurationProperties("aether")
public record AetherProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("on") Mode mode,
        @DefaultValue("kernel") Signals signals,
        @Nullable String zone,
        @DefaultValue Table table,
        @DefaultValue Pick pick,
        @DefaultValue WarmUp warmUp,
        @DefaultValue InFlight inFlight,
        @DefaultValue Decisions decisions,
        @DefaultValue Metrics metrics,
        @DefaultValue Observation observation,
        @DefaultValue Limit limit,
        @DefaultValue Hedge hedge,
        @DefaultValue Map<String, Service> services)
        implements SelfChecked {

    @Override
    public void check(Checks checks) {
        checks.in("table", table::check);
        checks.in("pick", pick::check);
        checks.in("warmUp", warmUp::check);
        checks.in("inFlight", inFlight::check);
        checks.in("decisions", decisions::check);
        checks.in("metrics", metrics::check);
        checks.in("limit", limit::check);
        checks.in("hedge", hedge::check);
        services.forEach((id, own) -> checks.in("services[" + id + "].hedge", own.hedge()::check));
    }

    /**
     * Where the kernel's view comes from.
     *
     * @param path File that the agent of this node writes.
     * @param refresh How often to look whether the file has appeared, was replaced, or its writer has died.
     */
    public record Table(
            @DefaultValue("/run/aether/health") Path path,
            @DefaultValue("200ms") Duration refresh) {

        void check(Checks checks) {
            checks.range("refresh", refresh, Duration.ofMillis(10), Duration.ofSeconds(10));
        }
    }

    /**
     * Constants of the law that chooses.
     *
     * @param maxCandidates Largest number of instances compared in one pick.
     * @param ewmaTau Time after which an old latency has lost 63 % of its weight.
     * @param failurePenalty Latency that a failure counts as.
     */
    public record Pick(
            @DefaultValue("6") int maxCandidates,
            @DefaultValue("10s") Duration ewmaTau,
            @DefaultValue("5s") Duration failurePenalty) {

        void check(Checks checks) {
            checks.range("maxCandidates", maxCandidates, 2, 16);
            checks.range("ewmaTau", ewmaTau, Duration.ofMillis(100), Duration.ofMinutes(10));
            checks.range("failurePenalty", failurePenalty, Duration.ofMillis(1), Duration.ofMinutes(10));
        }
    }

    /**
     * Requests to instances that have just started or are back, before they get requests that somebody waits for.
     *
     * @param requests Number of HEAD requests that an instance has to answer; 0 sends none.
     * @param path Path they ask for. Any answer below 500 counts, also 404.
     * @param patience Time after which an instance that did not answer gets users' requests all the same.
     */
    public record WarmUp(
            @DefaultValue("3") int requests,
            @DefaultValue("/") String path,
            @DefaultValue("10s") Duration patience) {

        private static final Pattern PATH = Pattern.compile("/[^\\s?#]*");

        void check(Checks checks) {
            checks.range("requests", requests, 0, 100);
            checks.matches("path", path, PATH, "must be a path that begins with /");
            checks.range("patience", patience, Duration.ofMillis(100), Duration.ofMinutes(5));
        }
    }

    /**
     * Counting of requests in flight.
     *
     * @param lostAfter Time after which a request of an entry point that cannot report cancellation is taken for over.
     */
    public record InFlight(@DefaultValue("5m") Duration lostAfter) {

        void check(Checks checks) {
            checks.range("lostAfter", lostAfter, Duration.ofSeconds(1), Duration.ofHours(24));
        }
    }

    /**
     * Log of decisions.
     *
     * @param size Number of decisions kept for each service; 0 keeps none.
     * @param header Whether answers of the gateway tell in X-Aether-Decision which instance they come from and how it stands.
     */
    public record Decisions(
            @DefaultValue("32") int size,
            @DefaultValue("false") boolean header) {

        void check(Checks checks) {
            checks.range("size", size, 0, 1000);
        }
    }

    /**
     * Micrometer meters.
     *
     * @param perInstance Whether to publish meters for each instance of a service.
     * @param maxInstances Largest number of instances that a service may have to get meters for each.
     */
    public record Metrics(
            @DefaultValue("true") boolean perInstance,
            @DefaultValue("32") int maxInstances) {

        void check(Checks checks) {
            checks.range("maxInstances", maxInstances, 1, 1000);
        }
    }

    /**
     * What observations of client requests tell.
     *
     * @param enabled Whether observations of client requests, and so their spans and timers, tell of instance, class, attempt and limit.
     */
    public record Observation(@DefaultValue("true") boolean enabled) {}

    /**
     * Limiters of calls.
     *
     * @param mode Whether calls to overloaded branches are held back: "on" they are, "observe" it is counted which would be, "off" nobody asks.
     * @param grace How long after its first call a branch is only watched.
     * @param dscp Whether connections of reactor-netty carry the priority of their requests as DSCP.
     */
    public record Limit(
            @DefaultValue("on") Mode mode,
            @DefaultValue("3s") Duration grace,
            @DefaultValue("false") boolean dscp) {

        void check(Checks checks) {
            checks.range("grace", grace, Duration.ZERO, Duration.ofMinutes(10));
        }
    }

    /**
     * Second attempts of calls.
     *
     * @param mode Whether calls that wait too long are sent a second time, elsewhere: "on" they are, "observe" it is counted which would be, "off" none is watched.
     * @param budget Most second attempts for each first one.
     * @param minDelay Time before which a second attempt is only sent when the kernel says that the first one's instance is stalled.
     * @param methods Methods whose requests may be sent twice: of GET, HEAD, OPTIONS, PUT and DELETE.
     */
    public record Hedge(
            @DefaultValue("off") Mode mode,
            @DefaultValue("0.05") double budget,
            @DefaultValue("1ms") Duration minDelay,
            @DefaultValue({"GET", "HEAD", "OPTIONS"}) Set<HttpMethod> methods) {

        private static final Set<HttpMethod> IDEMPOTENT =
                Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.PUT, HttpMethod.DELETE);

        void check(Checks checks) {
            check(checks, budget, minDelay);
            checks.that(
                    "methods",
                    IDEMPOTENT.containsAll(methods),
                    "may be GET, HEAD, OPTIONS, PUT and DELETE: a request of any other method must not be sent twice");
        }

        /** What holds for a service of its own, too. */
        private static void check(Checks checks, @Nullable Double budget, @Nullable Duration minDelay) {
            checks.range("budget", budget, 0.0001, 0.05);
            checks.range("minDelay", minDelay, Duration.ofNanos(100_000), Duration.ofMinutes(1));
        }
    }

    /**
     * Settings of one service.
     *
     * @param mode Who chooses instances of this service.
     * @param signals What choices of this service's instances rest on.
     * @param optional Whether callers can do without this service: its pressure is not told on to theirs.
     * @param limit How calls to this service are limited.
     * @param hedge How calls to this service are hedged.
     */
    public record Service(
            @Nullable Mode mode,
            @Nullable Signals signals,
            @DefaultValue("false") boolean optional,
            @DefaultValue ServiceLimit limit,
            @DefaultValue ServiceHedge hedge) {}

    /**
     * How calls to one service are hedged; what is left out follows the common setting.
     *
     * @param mode Whether calls to this service that wait too long are sent a second time.
     * @param budget Most second attempts for each first one.
     * @param minDelay Time before which a second attempt is only sent when the kernel says that the first one's instance is stalled.
     */
    public record ServiceHedge(
            @Nullable Mode mode,
            @Nullable Double budget,
            @Nullable Duration minDelay) {

        void check(Checks checks) {
            Hedge.check(checks, budget, minDelay);
        }
    }

    /**
     * How calls to one service are limited.
     *
     * @param mode Whether calls to this service are held back.
     * @param groups Groups of routes that have a limit of their own: patterns of paths by the name of the group.
     */
    public record ServiceLimit(
            @Nullable Mode mode, @DefaultValue Map<String, List<String>> groups) {}
}

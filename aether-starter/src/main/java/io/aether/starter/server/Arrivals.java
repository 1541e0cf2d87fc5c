// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import io.aether.core.limit.Priority;
import io.aether.starter.context.ContextHeaders;
import io.aether.starter.context.IgnoredHeaders;
import io.aether.starter.context.RequestContext;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;

/**
 * What a request that arrives is: its priority, deadline and user.
 *
 * <p>A request never matters more than the one that it serves, nor more than the operator or the handler's author says: of
 * what the header says and what is said here, the lower counts. So a forged header can make a request less important only,
 * unless nobody says anything here. Of the deadlines the earliest counts. Thread-safe.
 */
public final class Arrivals {
    private final Settings settings;
    private final HandlerPriorities handlers;
    private final Users users;
    private final IgnoredHeaders ignored;

    /**
     * What the operator says.
     *
     * @param trusting whether context headers of requests are believed
     * @param otherwise the priority of requests of which nothing else says one
     * @param withinNanos how long clients wait at most, in ns; 0 when unknown
     * @param rules for paths; the first that matches counts
     * @param exempt beginnings of paths whose requests are none of Aether's business
     */
    public record Settings(
            boolean trusting, Priority otherwise, long withinNanos, List<RouteRule> rules, List<String> exempt) {}

    /** Judges by these settings and annotations. */
    public Arrivals(Settings settings, HandlerPriorities handlers, Users users, IgnoredHeaders ignored) {
        this.settings = settings;
        this.handlers = handlers;
        this.users = users;
        this.ignored = ignored;
    }

    /** Whether context headers of requests are believed. */
    public boolean trusting() {
        return settings.trusting();
    }

    /** Whether requests to the path pass uncounted and unjudged, as those of the actuator, which must answer under overload. */
    public boolean exempt(String path) {
        List<String> prefixes = settings.exempt();
        for (int i = 0; i < prefixes.size(); i++) {
            String prefix = prefixes.get(i);
            if (path.startsWith(prefix) && (path.length() == prefix.length() || path.charAt(prefix.length()) == '/')) {
                return true;
            }
        }
        return false;
    }

    /**
     * The context of a request that arrives.
     *
     * @param headers the first value of a header, or null
     * @param path asked for where rules or annotations need it
     * @param now on the server's clock
     */
    public RequestContext arrive(
            ServerRequest request,
            String method,
            Function<String, @Nullable String> headers,
            Supplier<PathContainer> path,
            long now) {
        boolean byPath = !settings.rules().isEmpty() || !handlers.none();
        PathContainer requested = byPath ? path.get() : null;
        RouteRule rule = requested == null ? null : rule(requested);
        Priority ruled = rule == null ? null : rule.priority();
        Priority told = trusted(ContextHeaders.PRIORITY, headers) ? header(headers) : null;
        Priority said = ruled == null && requested != null ? handlers.of(method, requested) : ruled;
        request.decided(ruled != null, told != null);
        return new RequestContext(priority(said, told), deadline(rule, headers, now), rank(headers), request);
    }

    private @Nullable Priority header(Function<String, @Nullable String> headers) {
        return ContextHeaders.priority(headers.apply(ContextHeaders.PRIORITY), ignored);
    }

    private Priority priority(@Nullable Priority said, @Nullable Priority told) {
        if (said == null) {
            return told == null ? settings.otherwise() : told;
        }
        return told == null ? said : lower(said, told);
    }

    private long deadline(@Nullable RouteRule rule, Function<String, @Nullable String> headers, long now) {
        long told = trusted(ContextHeaders.DEADLINE, headers)
                ? ContextHeaders.deadline(headers.apply(ContextHeaders.DEADLINE), now, ignored)
                : RequestContext.NO_DEADLINE;
        long within = rule != null && rule.withinNanos() > 0 ? rule.withinNanos() : settings.withinNanos();
        long said = within > 0 ? now + within : RequestContext.NO_DEADLINE;
        if (told == RequestContext.NO_DEADLINE || said == RequestContext.NO_DEADLINE) {
            return told == RequestContext.NO_DEADLINE ? said : told;
        }
        return told - said < 0 ? told : said;
    }

    private float rank(Function<String, @Nullable String> headers) {
        if (trusted(ContextHeaders.USER, headers)) {
            return ContextHeaders.userRank(headers.apply(ContextHeaders.USER), ignored);
        }
        String name = users.header();
        return name == null ? 0 : users.rank(headers.apply(name));
    }

    /** Whether the header is there and believed; one that is there and is not is counted. */
    private boolean trusted(String header, Function<String, @Nullable String> headers) {
        if (headers.apply(header) == null) {
            return false;
        }
        if (!settings.trusting()) {
            ignored.untrusted();
        }
        return settings.trusting();
    }

    private @Nullable RouteRule rule(PathContainer requested) {
        List<RouteRule> rules = settings.rules();
        for (int i = 0; i < rules.size(); i++) {
            if (rules.get(i).matches(requested)) {
                return rules.get(i);
            }
        }
        return null;
    }

    /**
     * A gateway's route says the priority of its requests: as an annotation would, but the route is the operator's word.
     *
     * @return the context with it; the same if an operator's rule for the path has spoken already
     */
    public RequestContext routed(RequestContext context, @Nullable Priority route, long withinNanos, long now) {
        RequestContext timely = withinNanos > 0 ? context.withDeadline(now + withinNanos) : context;
        if (route == null || !(context.work() instanceof ServerRequest request) || request.ruled()) {
            return timely;
        }
        return timely.withPriority(request.told() ? lower(context.priority(), route) : route);
    }

    /** The user turned out to be this one. */
    public RequestContext identified(RequestContext context, @Nullable String identity) {
        float rank = context.userRank() > 0 ? context.userRank() : users.rank(identity);
        return rank == context.userRank() ? context : context.withUserRank(rank);
    }

    private static Priority lower(Priority one, Priority other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}

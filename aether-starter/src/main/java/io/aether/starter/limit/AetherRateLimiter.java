// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import io.aether.core.limit.BranchLimiter;
import io.aether.core.limit.LimitLaw;
import io.aether.core.limit.Priority;
import io.aether.core.limit.UserRank;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.github.resilience4j.ratelimiter.event.RateLimiterEvent;
import io.github.resilience4j.ratelimiter.event.RateLimiterOnDrainedEvent;
import io.github.resilience4j.ratelimiter.event.RateLimiterOnFailureEvent;
import io.github.resilience4j.ratelimiter.event.RateLimiterOnSuccessEvent;
import io.github.resilience4j.ratelimiter.internal.RateLimiterEventProcessor;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.client.RestClientResponseException;

/**
 * A branch's limiter as Resilience4j knows limiters, so that its metrics, events, actuator pages and decorators show it.
 * The limit comes from what the branch answers and cannot be set; nobody ever waits in it.
 *
 * <p>A request takes one permit, whatever weight is asked for. Resilience4j's decorators report the end of what they
 * let through by {@link #onResult}, {@link #onSuccess} or {@link #onError}; who asks by hand does the same, once.
 * Thread-safe.
 */
public final class AetherRateLimiter implements RateLimiter {
    private static final String PREFIX = "aether:";

    private final String name;
    private final BranchLimiter limiter;
    private final Supplier<Priority> priority;
    private final Map<String, String> tags;
    private final RateLimiterConfig config;
    private final RateLimiterEventProcessor events = new RateLimiterEventProcessor();

    private AetherRateLimiter(
            String name,
            BranchLimiter limiter,
            Supplier<Priority> priority,
            RateLimiterConfig config,
            Map<String, String> tags) {
        this.name = name;
        this.limiter = limiter;
        this.priority = priority;
        this.config = config;
        this.tags = tags;
    }

    /**
     * Puts the limiter of a branch into the registry, in place of what has its name, and returns it.
     *
     * @param priority of the request at hand, asked on the thread that asks for a permit
     */
    public static AetherRateLimiter register(
            RateLimiterRegistry registry,
            String service,
            String group,
            BranchLimiter limiter,
            Supplier<Priority> priority) {
        String name = name(service, group);
        RateLimiterConfig config = RateLimiterConfig.from(registry.getDefaultConfig())
                .timeoutDuration(Duration.ZERO)
                .writableStackTraceEnabled(false)
                .build();
        Map<String, String> tags = Map.copyOf(registry.getTags());
        AetherRateLimiter own = new AetherRateLimiter(name, limiter, priority, config, tags);
        registry.rateLimiter(name, config, tags);
        registry.replace(name, own);
        return own;
    }

    /** The name of a branch's limiter. */
    public static String name(String service, String group) {
        return PREFIX + service + ":" + group;
    }

    /** The limiter behind it. */
    public BranchLimiter limiter() {
        return limiter;
    }

    /** Takes a permit or throws; for a request of this priority and user, see {@link UserRank}. */
    public void acquire(Priority wanted, float rank) {
        if (!passes(wanted, rank)) {
            throw refusal(wanted, rank);
        }
    }

    BranchLimitedException refusal(Priority wanted, float rank) {
        return new BranchLimitedException(name, wanted, Duration.ofNanos(limiter.waitNanos(wanted, rank)));
    }

    boolean passes(Priority wanted, float rank) {
        boolean passed = limiter.tryAcquire(wanted, rank);
        if (events.hasConsumers()) {
            RateLimiterEvent event =
                    passed ? new RateLimiterOnSuccessEvent(name, 1) : new RateLimiterOnFailureEvent(name, 1);
            events.processEvent(event);
        }
        return passed;
    }

    @Override
    public boolean acquirePermission(int permits) {
        return passes(priority.get(), UserRank.NOBODY);
    }

    /** 0 if it may be sent now, and then it counts as sent; else -1, for nothing is promised for later. */
    @Override
    public long reservePermission(int permits) {
        return acquirePermission(permits) ? 0 : -1;
    }

    @Override
    public void drainPermissions() {
        limiter.drain();
        if (events.hasConsumers()) {
            events.processEvent(new RateLimiterOnDrainedEvent(name, 0));
        }
    }

    @Override
    public void onSuccess() {
        limiter.answered();
    }

    @Override
    public void onResult(@Nullable Object result) {
        limiter.answered();
    }

    @Override
    public void onError(Throwable error) {
        if (OverloadSigns.in(error)) {
            limiter.refused();
        } else if (error instanceof RestClientResponseException) {
            limiter.answered();
        } else {
            limiter.lost();
        }
    }

    @Override
    public void changeTimeoutDuration(Duration timeoutDuration) {
        throw new UnsupportedOperationException(name + " never waits: it has no timeout to change");
    }

    @Override
    public void changeLimitForPeriod(int limitForPeriod) {
        throw new UnsupportedOperationException(name + " follows what its branch answers: its limit cannot be set");
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public RateLimiterConfig getRateLimiterConfig() {
        return config;
    }

    @Override
    public Map<String, String> getTags() {
        return tags;
    }

    @Override
    public EventPublisher getEventPublisher() {
        return events;
    }

    @Override
    public Metrics getMetrics() {
        return new Permits();
    }

    /** Nobody waits; as many would pass at once as the bucket holds. */
    private final class Permits implements Metrics {
        @Override
        public int getNumberOfWaitingThreads() {
            return 0;
        }

        @Override
        public int getAvailablePermissions() {
            return limiter.rate() == LimitLaw.OPEN ? config.getLimitForPeriod() : limiter.available();
        }
    }
}

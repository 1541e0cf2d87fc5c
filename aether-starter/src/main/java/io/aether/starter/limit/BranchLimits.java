// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import io.aether.core.NanoClock;
import io.aether.core.limit.BranchLimiter;
import io.aether.core.limit.LimitSettings;
import io.aether.core.limit.Priority;
import io.aether.core.limit.RetryBudget;
import io.aether.core.pick.Mode;
import io.aether.starter.context.ContextHeaders;
import io.aether.starter.context.IgnoredHeaders;
import io.aether.starter.context.RequestContext;
import io.aether.starter.context.RequestContexts;
import io.aether.starter.diagnostics.WrongSettingException;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * The limiters of all branches that this application calls. One per application; thread-safe. Made at a branch's first call;
 * after that, finding one takes no lock and allocates nothing.
 *
 * <p>It fails open: what is too much (more than {@value #MOST_SERVICES} services) or goes wrong is counted and not limited.
 */
public final class BranchLimits {

    /** Ids come from the hosts of URLs, and those may come from anywhere. */
    static final int MOST_SERVICES = 1024;

    private static final Log LOG = LogFactory.getLog(BranchLimits.class);

    private final ConcurrentMap<String, ServiceLimits> services = new ConcurrentHashMap<>();
    private final List<Consumer<Branch>> listeners = new CopyOnWriteArrayList<>();
    private final LongAdder unlimited = new LongAdder();
    private final ServiceLimits tooMany = new ServiceLimits(RouteGroups.OTHER, Own.NOTHING);
    private final Map<String, Own> own;
    private final LimitSwitches switches;
    private final RateLimiterRegistry registry;
    private final LimitSettings settings;
    private final NanoClock clock;
    private final Marks marks;
    private final IgnoredHeaders ignored;
    private volatile @Nullable Standing standing;

    /**
     * What a service sets for itself.
     *
     * @param groups patterns of paths by the name of the group: segments are literal, {@code *} for any one, or as the last
     *     {@code **} for any rest
     * @param optional whether its callers can do without it: then its pressure is not theirs
     */
    public record Own(Map<String, List<String>> groups, boolean optional) {
        static final Own NOTHING = new Own(Map.of(), false);
    }

    /** Where the marks of a service's answers come from. Confined to the thread that ticks. */
    public interface Marks {
        /** Nobody tells of marks: refusals alone limit. */
        Marks NONE = (service, branches) -> true;

        /**
         * Gives what came since the last call to the limiters of {@code service}.
         *
         * @return false if who told of marks is gone
         */
        boolean feed(String service, List<Branch> branches);
    }

    /**
     * Creates the empty set of limiters.
     *
     * @param own what single services set, by their id
     * @throws WrongSettingException naming the property that is wrong
     */
    public BranchLimits(
            LimitSwitches switches,
            Map<String, Own> own,
            RateLimiterRegistry registry,
            LimitSettings settings,
            NanoClock clock,
            Marks marks,
            IgnoredHeaders ignored) {
        this.switches = switches;
        this.own = Map.copyOf(own);
        this.registry = registry;
        this.settings = settings;
        this.clock = clock;
        this.marks = marks;
        this.ignored = ignored;
        this.own.forEach(BranchLimits::check);
    }

    private static void check(String service, Own own) {
        try {
            new RouteGroups(own.groups());
        } catch (IllegalArgumentException e) {
            throw new WrongSettingException(
                    "aether.services." + service + ".limit.groups is wrong: " + e.getMessage(), e);
        }
    }

    /** The modes in force. */
    public LimitSwitches switches() {
        return switches;
    }

    /**
     * A call that is about to be made for the request at hand. Its own headers may say less of it: a lower priority, an
     * earlier deadline.
     *
     * @param url as the application wrote it, with the service's id as its host
     * @param context of the request that needs the call
     */
    public Passage call(URI url, HttpHeaders headers, RequestContext context) {
        RequestContext itsOwn = context;
        String priority = headers.getFirst(ContextHeaders.PRIORITY);
        if (priority != null) {
            Priority known = ContextHeaders.priority(priority, ignored);
            if (known != null && known.compareTo(context.priority()) > 0) {
                itsOwn = context.withPriority(known);
            }
        }
        String deadline = headers.getFirst(ContextHeaders.DEADLINE);
        if (deadline != null) {
            itsOwn = itsOwn.withDeadline(ContextHeaders.deadline(deadline, clock.nanos(), ignored));
        }
        return call(url, itsOwn);
    }

    /** A call that is about to be made on behalf of {@code context}. */
    public Passage call(URI url, RequestContext context) {
        String host = Objects.requireNonNullElse(url.getHost(), "");
        ServiceLimits service = service(host);
        Branch branch = null;
        if (service == tooMany) {
            unlimited.increment();
        } else if (switches.of(host) != Mode.OFF) {
            branch = branch(service, Objects.requireNonNullElse(url.getRawPath(), ""));
        }
        return new Passage(this, service, branch, context);
    }

    /** The name of the group of routes that a call belongs to, whether calls are limited or not. */
    public String groupOf(URI url) {
        ServiceLimits service = service(Objects.requireNonNullElse(url.getHost(), ""));
        return service.name(service.groupOf(Objects.requireNonNullElse(url.getRawPath(), "")));
    }

    private ServiceLimits service(String id) {
        ServiceLimits known = services.get(id);
        if (known != null) {
            return known;
        }
        if (services.size() >= MOST_SERVICES) {
            return tooMany;
        }
        return services.computeIfAbsent(id, name -> new ServiceLimits(name, own.getOrDefault(name, Own.NOTHING)));
    }

    private @Nullable Branch branch(ServiceLimits service, String path) {
        int group = service.groupOf(path);
        Branch known = service.find(group);
        return known != null ? known : add(service, group);
    }

    private @Nullable Branch add(ServiceLimits service, int group) {
        Branch made;
        synchronized (service) {
            Branch earlier = service.find(group);
            if (earlier != null) {
                return earlier;
            }
            try {
                made = make(service.id(), service.name(group));
            } catch (RuntimeException e) {
                unlimited.increment();
                LOG.warn(
                        "Cannot limit calls to " + service.id() + ": Resilience4j's registry does not take a limiter",
                        e);
                return null;
            }
            service.put(group, made);
        }
        listeners.forEach(listener -> listener.accept(made));
        return made;
    }

    private Branch make(String service, String group) {
        BranchLimiter limiter = new BranchLimiter(settings, clock);
        AetherRateLimiter registered = AetherRateLimiter.register(
                registry,
                service,
                group,
                limiter,
                () -> RequestContexts.current().priority());
        return new Branch(service, group, registered, new RetryBudget(clock));
    }

    /** Lets the law judge. Called every 50 ms by one thread. */
    public void tick() {
        for (ServiceLimits service : services.values()) {
            List<Branch> branches = service.all();
            if (branches.isEmpty()) {
                continue;
            }
            if (!marks.feed(service.id(), branches)) {
                branches.forEach(branch -> branch.limiter().forgive());
            }
            branches.forEach(branch -> branch.limiter().tick());
        }
    }

    /** All branches that were called. */
    public List<Branch> all() {
        List<Branch> all = new ArrayList<>();
        services.values().forEach(service -> service.forEach(all::add));
        return all;
    }

    /** Whether a service of this id was called. */
    public boolean knows(String service) {
        return services.containsKey(service);
    }

    /** Ids of the services that were called. */
    public List<String> serviceIds() {
        return services.keySet().stream().sorted().toList();
    }

    /** Calls that nothing limits, because there were too many services or a limiter could not be made. */
    public long unlimitedTotal() {
        return unlimited.sum();
    }

    /** Groups of routes that share a limiter because too many were configured. */
    public int groupsLeftOut() {
        return services.values().stream().mapToInt(ServiceLimits::leftOut).sum();
    }

    /** Calls {@code listener} for every branch, those of the past included. */
    public void onBranch(Consumer<Branch> listener) {
        listeners.add(listener);
        all().forEach(listener);
    }

    /** From now on calls note the class of the instances they go to. */
    public void note(Standing classes) {
        standing = classes;
    }

    @Nullable
    Standing standing() {
        return standing;
    }

    IgnoredHeaders ignored() {
        return ignored;
    }

    long nanos() {
        return clock.nanos();
    }
}

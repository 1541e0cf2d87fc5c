// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.balancer;

import io.aether.core.Dice;
import io.aether.core.NanoClock;
import io.aether.core.pick.Fleet;
import io.aether.core.pick.Instance;
import io.aether.core.pick.InstanceClass;
import io.aether.core.pick.KernelView;
import io.aether.core.pick.PickSettings;
import io.aether.starter.inflight.FailureKind;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.cloud.client.ServiceInstance;

/** The fleets of all services that this application calls. One per application; thread-safe. */
public final class ServiceFleets {

    private static final Logger LOG = LoggerFactory.getLogger(ServiceFleets.class);

    private final ConcurrentMap<String, ServiceFleet> fleets = new ConcurrentHashMap<>();
    private final List<Consumer<ServiceFleet>> listeners = new CopyOnWriteArrayList<>();
    private final LongAdder failedOpen = new LongAdder();
    private final ConcurrentMap<Class<?>, Boolean> reported = new ConcurrentHashMap<>();
    private final Switches switches;
    private final PickSettings settings;
    private final NanoClock clock;
    private final KernelView kernel;
    private final int decisions;
    private final @Nullable String ownZone;

    /** Creates the empty set of fleets of an application that is in no zone. */
    public ServiceFleets(Switches switches, PickSettings settings, NanoClock clock, KernelView kernel, int decisions) {
        this(switches, settings, clock, kernel, decisions, null);
    }

    /**
     * Creates the empty set of fleets.
     *
     * @param decisions decisions kept per service
     * @param ownZone the zone of this application; null when it makes no difference
     */
    public ServiceFleets(
            Switches switches,
            PickSettings settings,
            NanoClock clock,
            KernelView kernel,
            int decisions,
            @Nullable String ownZone) {
        this.switches = switches;
        this.settings = settings;
        this.clock = clock;
        this.kernel = kernel;
        this.decisions = decisions;
        this.ownZone = ownZone;
    }

    /** The policies in force. */
    public Switches switches() {
        return switches;
    }

    /** Where the kernel's view comes from. */
    public KernelView kernel() {
        return kernel;
    }

    /** The fleet of {@code service}; made, and shown to listeners, if it is new. */
    public ServiceFleet get(String service) {
        ServiceFleet known = fleets.get(service);
        return known != null ? known : add(service);
    }

    private ServiceFleet add(String service) {
        ServiceFleet made = new ServiceFleet(
                service,
                new Fleet(service, settings, clock, Dice.threadLocal(), kernel),
                switches,
                new DecisionLog(decisions, clock),
                ownZone);
        ServiceFleet earlier = fleets.putIfAbsent(service, made);
        if (earlier != null) {
            return earlier;
        }
        listeners.forEach(listener -> listener.accept(made));
        return made;
    }

    /** The fleet of {@code service}; null when it was never called, or when a user's own balancer serves it. */
    public @Nullable ServiceFleet find(String service) {
        return fleets.get(service);
    }

    /** The instance behind Spring's object, whatever the case of its service id; null when unknown. */
    public @Nullable Instance find(ServiceInstance original) {
        String service = original.getServiceId();
        if (service == null) {
            return null;
        }
        ServiceFleet exact = fleets.get(service);
        if (exact != null) {
            return exact.find(original);
        }
        for (ServiceFleet fleet : fleets.values()) {
            if (fleet.service().equalsIgnoreCase(service)) {
                return fleet.find(original);
            }
        }
        return null;
    }

    /** The class of an instance as a pick would see it now. */
    public InstanceClass standing(Instance instance) {
        ServiceFleet fleet = fleets.get(instance.key().service());
        return fleet == null ? InstanceClass.COLD : fleet.standing(instance);
    }

    /** All fleets. */
    public Collection<ServiceFleet> all() {
        return fleets.values();
    }

    /** Calls {@code listener} for every fleet, those of the past included. */
    public void onFleet(Consumer<ServiceFleet> listener) {
        listeners.add(listener);
        fleets.values().forEach(listener);
    }

    /** A failure is held against {@code instance}. */
    public void failed(Instance instance, FailureKind kind) {
        ServiceFleet fleet = fleets.get(instance.key().service());
        if (fleet != null) {
            fleet.failed(kind);
        }
    }

    /** Something in Aether went wrong and Spring's balancer took over: counted always, logged once per kind. */
    void failedOpen(String service, Throwable cause) {
        failedOpen.increment();
        if (reported.putIfAbsent(cause.getClass(), true) == null) {
            LOG.atWarn()
                    .addKeyValue("aether.service", service)
                    .setCause(cause)
                    .log("Aether could not choose an instance of {}; Spring's round robin does", service);
        }
    }

    /** How often Spring's balancer had to take over since the application started. */
    public long failedOpenTotal() {
        return failedOpen.sum();
    }

    /** Forgets instances that left their registry. Called once a second, off the request path. */
    public void sweep() {
        fleets.values().forEach(ServiceFleet::sweep);
    }
}

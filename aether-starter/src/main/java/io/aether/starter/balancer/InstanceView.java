// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.balancer;

import io.aether.core.pick.Instance;
import io.aether.core.pick.InstanceKey;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.ServiceInstance;

/**
 * One list of a service's instances as a supplier gave it, without duplicates, and the way from Spring's objects to Aether's
 * and back. Immutable but for {@link #idleTicks}.
 */
final class InstanceView {

    private final List<ServiceInstance> source;
    private final ServiceInstance[] content;
    private final Instance[] candidates;
    private final Map<Instance, ServiceInstance> originals = new IdentityHashMap<>();
    private final Map<ServiceInstance, Instance> instances = new IdentityHashMap<>();

    /** Set by every use, cleared by the sweeper: cheaper than a clock in every pick. */
    private volatile boolean used = true;

    /** Sweeps since the last use. Only the sweeper touches it. */
    private int idleTicks;

    InstanceView(
            List<ServiceInstance> source, ServiceInstance[] content, Map<InstanceKey, Instance> known, String service) {
        this.source = source;
        this.content = content;
        for (ServiceInstance original : content) {
            Instance instance = known.get(keyOf(service, original));
            if (instance != null) {
                originals.putIfAbsent(instance, original);
                instances.put(original, instance);
            }
        }
        this.candidates = originals.keySet().toArray(Instance[]::new);
    }

    /**
     * Whether this view shows {@code list}. The supplier's cache hands out the same object again and again; filters that work
     * per request make new lists of the same instances.
     */
    boolean shows(List<ServiceInstance> list) {
        if (list == source) {
            return true;
        }
        if (list.size() != content.length) {
            return false;
        }
        int i = 0;
        for (ServiceInstance instance : list) {
            ServiceInstance mine = content[i++];
            if (instance != mine && !instance.equals(mine)) {
                return false;
            }
        }
        return true;
    }

    void touch() {
        if (!used) {
            used = true;
        }
    }

    /** Sweeps without a use, this one included; 0 when it was used since the last. */
    int sweep() {
        if (used) {
            used = false;
            idleTicks = 0;
        } else {
            idleTicks++;
        }
        return idleTicks;
    }

    Instance[] candidates() {
        return candidates;
    }

    @Nullable
    ServiceInstance original(Instance instance) {
        return originals.get(instance);
    }

    @Nullable
    Instance instance(ServiceInstance original) {
        return instances.get(original);
    }

    ServiceInstance[] content() {
        return content;
    }

    /** Spring's instance ids may be missing and its equality includes metadata, so the address is the identity. */
    static InstanceKey keyOf(String service, ServiceInstance instance) {
        String scheme = instance.getScheme();
        return new InstanceKey(
                service,
                scheme != null ? scheme : instance.isSecure() ? "https" : "http",
                Objects.requireNonNullElse(instance.getHost(), ""),
                instance.getPort());
    }
}

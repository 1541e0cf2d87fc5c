// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.balancer;

import io.aether.core.pick.Instance;
import io.aether.core.pick.InstanceKey;
import java.util.ArrayList;
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

    private static final int MOST_PORT = 0xffff;
    private static final String HTTPS = "https";

    private final List<ServiceInstance> source;
    private final ServiceInstance[] content;
    private final Instance[] candidates;
    private final IdentityHashMap<Instance, ServiceInstance> originals = new IdentityHashMap<>();
    private final IdentityHashMap<ServiceInstance, Instance> instances = new IdentityHashMap<>();

    /** Set by every use, cleared by the sweeper: cheaper than a clock in every pick. */
    private volatile boolean used = true;

    /** Sweeps since the last use. Only the sweeper touches it. */
    private int idleTicks;

    InstanceView(
            List<ServiceInstance> source, ServiceInstance[] content, Map<InstanceKey, Instance> known, String service) {
        this.source = source;
        this.content = content;
        List<Instance> distinct = new ArrayList<>(content.length);
        for (ServiceInstance original : content) {
            Instance instance = known.get(keyOf(service, original));
            if (instance != null) {
                instances.put(original, instance);
                if (originals.putIfAbsent(instance, original) == null) {
                    distinct.add(instance);
                }
            }
        }
        this.candidates = distinct.toArray(Instance[]::new);
    }

    /**
     * Whether this view shows {@code list}. The supplier's cache hands out the same object again and again; filters that work
     * per request make new lists of the same instances.
     */
    @SuppressWarnings("ReferenceEquality") // The quick answer, almost always.
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

    /** Whether requests can be sent there at all: it has a host, and a port or none. */
    static boolean isUsable(ServiceInstance instance) {
        String host = instance.getHost();
        return host != null && !host.isBlank() && instance.getPort() != 0 && instance.getPort() <= MOST_PORT;
    }

    /**
     * Spring's instance ids may be missing and its equality includes metadata, so the address is the identity. Without a port
     * requests go to the scheme's own.
     */
    static InstanceKey keyOf(String service, ServiceInstance instance) {
        String given = instance.getScheme();
        String scheme = given != null ? given : instance.isSecure() ? HTTPS : "http";
        int port = instance.getPort();
        return new InstanceKey(
                service,
                scheme,
                Objects.requireNonNullElse(instance.getHost(), ""),
                port >= 0 ? port : scheme.equalsIgnoreCase(HTTPS) ? 443 : 80);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.balancer;

import io.aether.core.pick.Fleet;
import io.aether.core.pick.Instance;
import io.aether.core.pick.InstanceClass;
import io.aether.core.pick.InstanceKey;
import io.aether.core.pick.Signals;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.ServiceInstance;

/**
 * Keeps a {@link Fleet} in step with the lists that Spring's suppliers give.
 *
 * <p>A list is not always the whole service: hints, sticky sessions, retries, zones and subsets filter per request. So the
 * fleet is the union of the lists in use, and an instance leaves it when no list in use has shown it for {@value #GRACE_TICKS}
 * sweeps. Its statistics live as long. A request is served from the instances of its own list only.
 */
final class Roster {

    /** Sweeps come once a second. */
    static final int GRACE_TICKS = 10;

    private static final int MAX_VIEWS = 8;

    /** Picks from the whole fleet until one is in a partial list; conditional on that, they are as good as any. */
    private static final int MAX_ATTEMPTS = 8;

    private static final String ZONE = "zone";

    private final String service;
    private final Fleet fleet;
    private final @Nullable String ownZone;
    /** Zones of the instances in use, as their metadata says. Only touched under the lock. */
    private final Map<InstanceKey, String> zones = new HashMap<>();

    private volatile InstanceView[] views = {};
    private volatile int size;
    private volatile int unusable;

    /** @param ownZone the zone of this application; null when it makes no difference */
    Roster(String service, Fleet fleet, @Nullable String ownZone) {
        this.service = service;
        this.fleet = fleet;
        this.ownZone = ownZone;
    }

    /** The view of {@code list}; made, and the fleet updated, when the list is new. */
    InstanceView view(List<ServiceInstance> list) {
        for (InstanceView view : views) {
            if (view.shows(list)) {
                view.touch();
                return view;
            }
        }
        return add(list);
    }

    /** Picks among the view's instances only. */
    Instance pick(InstanceView view, Signals signals, @Nullable Instance avoid) {
        Instance[] candidates = view.candidates();
        if (candidates.length == 1) {
            return candidates[0];
        }
        int attempts = candidates.length == size ? 1 : MAX_ATTEMPTS;
        for (int i = 0; i < attempts; i++) {
            Instance picked = fleet.pick(signals, avoid);
            if (picked != null && view.original(picked) != null) {
                return picked;
            }
        }
        return leastBusy(candidates, signals, avoid);
    }

    /** The rare rest, when the fleet's best instances are not in the request's list: class first, then requests in flight. */
    private Instance leastBusy(Instance[] candidates, Signals signals, @Nullable Instance avoid) {
        Instance best = candidates[0];
        InstanceClass bestClass = null;
        for (Instance candidate : candidates) {
            InstanceClass itsClass = fleet.classOf(candidate, signals);
            int order = bestClass == null ? -1 : itsClass.compareTo(bestClass);
            boolean better = order < 0 || (order == 0 && candidate.inFlight() < best.inFlight());
            if (better && !candidate.equals(avoid)) {
                best = candidate;
                bestClass = itsClass;
            }
        }
        return best;
    }

    /** The instance behind Spring's object; null when it is unknown. */
    @Nullable
    Instance find(ServiceInstance original) {
        for (InstanceView view : views) {
            Instance instance = view.instance(original);
            if (instance != null) {
                return instance;
            }
        }
        return fleet.find(InstanceView.keyOf(service, original));
    }

    /** Instances without host or port in the list that came last. */
    int unusable() {
        return unusable;
    }

    /** Forgets lists, and the instances only they showed, when they are out of use while others are in use. */
    synchronized void sweep() {
        boolean anyUsed = false;
        List<InstanceView> kept = new ArrayList<>();
        for (InstanceView view : views) {
            int idle = view.sweep();
            anyUsed |= idle == 0;
            if (idle < GRACE_TICKS) {
                kept.add(view);
            }
        }
        if (anyUsed && kept.size() < views.length) {
            views = kept.toArray(InstanceView[]::new);
            update();
        }
    }

    private synchronized InstanceView add(List<ServiceInstance> list) {
        for (InstanceView view : views) {
            if (view.shows(list)) {
                return view;
            }
        }
        ServiceInstance[] content = list.toArray(ServiceInstance[]::new);
        Set<InstanceKey> keys = keys(views.length < MAX_VIEWS ? views.length : MAX_VIEWS - 1);
        int left = 0;
        for (ServiceInstance instance : content) {
            if (!InstanceView.isUsable(instance)) {
                left++;
                continue;
            }
            InstanceKey key = InstanceView.keyOf(service, instance);
            keys.add(key);
            note(key, instance.getMetadata());
        }
        unusable = left;
        apply(keys);
        InstanceView view = new InstanceView(list, content, known(), service);
        views = prepend(view);
        return view;
    }

    private InstanceView[] prepend(InstanceView view) {
        int length = Math.min(views.length + 1, MAX_VIEWS);
        InstanceView[] next = new InstanceView[length];
        next[0] = view;
        System.arraycopy(views, 0, next, 1, length - 1);
        return next;
    }

    private void update() {
        apply(keys(views.length));
    }

    private void apply(Set<InstanceKey> keys) {
        zones.keySet().retainAll(keys);
        fleet.update(keys, this::isElsewhere);
        size = keys.size();
    }

    private void note(InstanceKey key, @Nullable Map<String, String> metadata) {
        String zone = ownZone == null || metadata == null ? null : metadata.get(ZONE);
        if (zone != null) {
            zones.put(key, zone);
        } else {
            zones.remove(key);
        }
    }

    /** Whoever says nothing of a zone is taken for a neighbour. */
    private boolean isElsewhere(InstanceKey key) {
        String zone = zones.get(key);
        return zone != null && !zone.equalsIgnoreCase(ownZone);
    }

    private Set<InstanceKey> keys(int newest) {
        Set<InstanceKey> keys = new LinkedHashSet<>();
        for (int i = 0; i < newest; i++) {
            for (Instance instance : views[i].candidates()) {
                keys.add(instance.key());
            }
        }
        return keys;
    }

    private Map<InstanceKey, Instance> known() {
        Map<InstanceKey, Instance> known = new HashMap<>();
        for (Instance instance : fleet.instances()) {
            known.put(instance.key(), instance);
        }
        return known;
    }
}

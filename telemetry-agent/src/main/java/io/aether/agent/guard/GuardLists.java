// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.guard;

import io.aether.agent.bpf.Cidr;
import io.aether.agent.bpf.GuardList;
import io.aether.agent.bpf.KernelGuard;
import io.aether.core.NanoClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The guard's lists, here and in the kernel alike. Not thread-safe. */
final class GuardLists {
    private final int capacity;
    private final NanoClock clock;
    private final Map<GuardList, NetworkList> lists = new EnumMap<>(GuardList.class);

    /** @param capacity networks of each address family in each list */
    GuardLists(int capacity, NanoClock clock) {
        this.capacity = capacity;
        this.clock = clock;
        clear();
    }

    /** Forgets them; the kernel's are gone with its program. */
    void clear() {
        for (GuardList list : GuardList.values()) {
            lists.put(list, new NetworkList(list.name().toLowerCase(Locale.ROOT), capacity));
        }
    }

    private NetworkList of(GuardList list) {
        return Objects.requireNonNull(lists.get(list));
    }

    /** Networks of the configuration: every agent enters them for itself. */
    void configure(KernelGuard guard, GuardList list, List<Cidr> networks) throws ListFullException {
        of(list).checkRoom(networks, false);
        note(list, networks, guard.enter(list, networks, 0), 0);
    }

    /**
     * What an earlier agent was given at run time, and has not ended; the configuration goes first.
     *
     * @return how many networks that were
     */
    int takeOver(KernelGuard guard, GuardList list) throws ListFullException {
        Map<Cidr, Long> earlier = guard.earlier(list);
        long now = clock.nanos();
        earlier.values().removeIf(expires -> expires != 0 && expires - now <= 0);
        of(list).present(earlier.keySet()).forEach(earlier::remove);
        of(list).checkRoom(earlier.keySet(), false);
        Map<Long, List<Cidr>> byExpiry = earlier.keySet().stream()
                .collect(Collectors.groupingBy(
                        cidr -> Objects.requireNonNull(earlier.get(cidr)), LinkedHashMap::new, Collectors.toList()));
        for (Map.Entry<Long, List<Cidr>> group : byExpiry.entrySet()) {
            enter(guard, list, group.getValue(), group.getKey());
        }
        return earlier.size();
    }

    /** Enters networks, or changes the expiry of those that are there; null is for ever. */
    void add(KernelGuard guard, GuardList list, List<Cidr> networks, @Nullable Duration lifetime)
            throws ListFullException {
        of(list).checkRoom(networks, false);
        enter(guard, list, networks, expiry(lifetime));
    }

    /** Makes these the whole list: what stays in it is never absent in between. */
    void replace(KernelGuard guard, GuardList list, List<Cidr> networks, @Nullable Duration lifetime)
            throws ListFullException {
        of(list).checkRoom(networks, true);
        List<Cidr> surplus = new ArrayList<>(of(list).all().keySet());
        surplus.removeAll(new HashSet<>(networks));
        guard.takeOut(list, surplus);
        of(list).remove(surplus);
        enter(guard, list, networks, expiry(lifetime));
    }

    private long expiry(@Nullable Duration lifetime) {
        return lifetime == null ? 0 : clock.nanos() + lifetime.toNanos();
    }

    private void enter(KernelGuard guard, GuardList list, List<Cidr> networks, long expires) throws ListFullException {
        note(list, networks, guard.enterAtRunTime(list, networks, expires), expires);
    }

    private void note(GuardList list, List<Cidr> networks, int entered, long expires) throws ListFullException {
        of(list).put(networks.subList(0, entered), expires);
        if (entered < networks.size()) {
            throw new ListFullException("the kernel took only " + entered + " of " + networks.size()
                    + " networks: it is short of memory, or the agent's cgroup is");
        }
    }

    /** Removes networks; those that were there. */
    List<Cidr> remove(KernelGuard guard, GuardList list, List<Cidr> networks) {
        List<Cidr> present = of(list).present(networks);
        guard.takeOut(list, present);
        of(list).remove(present);
        return present;
    }

    /** Takes out what has ended. */
    void expire(KernelGuard guard) {
        long now = clock.nanos();
        lists.forEach((list, networks) -> {
            List<Cidr> ended = networks.expire(now);
            if (!ended.isEmpty()) {
                guard.takeOut(list, ended);
            }
        });
    }

    /** Everything, oldest first, with the time left of each; negative for ever. */
    Map<Cidr, Duration> left(GuardList list) {
        long now = clock.nanos();
        Map<Cidr, Duration> left = new LinkedHashMap<>();
        of(list).all()
                .forEach((cidr, expires) -> left.put(
                        cidr, expires == 0 ? Duration.ofNanos(-1) : Duration.ofNanos(Math.max(0, expires - now))));
        return left;
    }

    int size(GuardList list) {
        return of(list).size();
    }
}

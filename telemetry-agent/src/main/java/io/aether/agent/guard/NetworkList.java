// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.guard;

import io.aether.agent.bpf.Cidr;
import java.net.Inet4Address;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/** Networks and the times when they end, as the kernel's list holds them. Not thread-safe. */
final class NetworkList {
    private final String name;
    private final int capacity;
    private final Map<Cidr, Long> expiries = new LinkedHashMap<>();
    /** Also holds deadlines that were changed since; those are skipped. */
    private final PriorityQueue<Deadline> deadlines = new PriorityQueue<>(Comparator.comparingLong(Deadline::expires));

    private int v4;

    private record Deadline(long expires, Cidr cidr) {}

    /**
     * @param name for messages
     * @param capacity networks of each address family
     */
    NetworkList(String name, int capacity) {
        this.name = name;
        this.capacity = capacity;
    }

    /** Fails, naming the list and its size, when there is no room for these beside those that stay. */
    void checkRoom(Collection<Cidr> networks, boolean instead) throws ListFullException {
        Set<Cidr> added = new HashSet<>(networks);
        if (!instead) {
            added.removeAll(expiries.keySet());
        }
        int addedV4 = (int) added.stream().filter(NetworkList::isV4).count();
        int wantedV4 = addedV4 + (instead ? 0 : v4);
        int wantedV6 = added.size() - addedV4 + (instead ? 0 : expiries.size() - v4);
        if (Math.max(wantedV4, wantedV6) > capacity) {
            throw new ListFullException("the " + name + " list would hold " + wantedV4 + " IPv4 and " + wantedV6
                    + " IPv6 networks, but has room for " + capacity
                    + " of each: remove some, or raise aether.agent.guard.max-entries");
        }
    }

    /** @param expires CLOCK_MONOTONIC ns; 0 for never */
    void put(Collection<Cidr> networks, long expires) {
        for (Cidr cidr : networks) {
            if (expiries.put(cidr, expires) == null && isV4(cidr)) {
                v4++;
            }
            if (expires != 0) {
                deadlines.add(new Deadline(expires, cidr));
            }
        }
    }

    void remove(Collection<Cidr> networks) {
        for (Cidr cidr : networks) {
            if (expiries.remove(cidr) != null && isV4(cidr)) {
                v4--;
            }
        }
    }

    /** Removes and returns what has ended. */
    List<Cidr> expire(long now) {
        List<Cidr> ended = new ArrayList<>();
        for (Deadline next = deadlines.peek(); next != null && next.expires() - now <= 0; next = deadlines.peek()) {
            deadlines.remove();
            Long current = expiries.get(next.cidr());
            if (current != null && current == next.expires()) {
                ended.add(next.cidr());
                remove(List.of(next.cidr()));
            }
        }
        return ended;
    }

    /** Those of the given networks that are in the list. */
    List<Cidr> present(Collection<Cidr> networks) {
        return networks.stream().distinct().filter(expiries::containsKey).toList();
    }

    /** Everything, oldest first, with its expiry. */
    Map<Cidr, Long> all() {
        return new LinkedHashMap<>(expiries);
    }

    int size() {
        return expiries.size();
    }

    private static boolean isV4(Cidr cidr) {
        return cidr.network().address() instanceof Inet4Address;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.table;

import io.aether.core.pick.InstanceKey;
import io.aether.core.pick.Resolver;
import io.aether.core.table.EndpointAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of host names, looked up by {@link #refresh} on a thread that may block. Asking never blocks: a name that is
 * not known yet is noted for the next refresh. Thread-safe.
 *
 * <p>A name with several addresses stands for its first one, which is where Java's clients connect first, too.
 */
public final class AddressBook implements Resolver {

    private static final Log LOG = LogFactory.getLog(AddressBook.class);

    /** Looks a name up; may block. */
    @FunctionalInterface
    public interface Lookup {
        /** The addresses of {@code host}, at least one. */
        InetAddress[] all(String host) throws UnknownHostException;
    }

    private final Lookup lookup;
    private final Map<String, InetAddress> known = new ConcurrentHashMap<>();
    private final Set<String> wanted = ConcurrentHashMap.newKeySet();

    /** Creates an empty book. */
    public AddressBook(Lookup lookup) {
        this.lookup = lookup;
    }

    @Override
    public @Nullable EndpointAddress resolve(InstanceKey key) {
        String host = key.host();
        if (host.isEmpty() || key.port() < 0 || key.port() > 0xffff) {
            return null;
        }
        InetAddress address = known.get(host);
        if (address == null) {
            wanted.add(host);
            return null;
        }
        return EndpointAddress.of(address, key.port());
    }

    /** Whether names wait for their first lookup. */
    public boolean isIncomplete() {
        return !wanted.isEmpty();
    }

    /** Looks up what is new. Returns whether anything was found. */
    public boolean refreshNew() {
        boolean found = false;
        for (String host : wanted) {
            found |= look(host);
        }
        return found;
    }

    /** Looks up all of {@code hosts} again and forgets the others. */
    public void refresh(Set<String> hosts) {
        known.keySet().retainAll(hosts);
        wanted.retainAll(hosts);
        hosts.forEach(this::look);
    }

    private boolean look(String host) {
        try {
            InetAddress[] all = lookup.all(host);
            wanted.remove(host);
            if (isAmbiguous(all)) {
                known.remove(host);
                return false;
            }
            return !all[0].equals(known.put(host, all[0]));
        } catch (UnknownHostException | SecurityException e) {
            // The last known address stays, and the name waits for the next round: its connections fail by themselves.
            wanted.remove(host);
            LOG.debug("No address for " + host, e);
            return false;
        }
    }

    /** Whether connections may go to one of several: then no table entry is the instance's. IPv4 and IPv6 of one host are one. */
    private static boolean isAmbiguous(InetAddress[] all) {
        for (int i = 1; i < all.length; i++) {
            if (all[i].getClass() == all[0].getClass() && !all[i].equals(all[0])) {
                return true;
            }
        }
        return false;
    }
}

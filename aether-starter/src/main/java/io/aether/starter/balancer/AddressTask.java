// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.balancer;

import io.aether.core.table.EndpointAddress;
import io.aether.starter.table.AddressBook;
import java.util.HashSet;
import java.util.Set;

/** Looks up the host names of instances and lets the kernel's view take up what changed. Blocks. */
public final class AddressTask {

    private final ServiceFleets fleets;
    private final AddressBook addresses;

    /** Creates the task. */
    public AddressTask(ServiceFleets fleets, AddressBook addresses) {
        this.fleets = fleets;
        this.addresses = addresses;
    }

    /** Looks up names that have just appeared. Cheap when there are none. */
    public void lookUpNew() {
        if (addresses.isIncomplete() && addresses.refreshNew()) {
            prepare();
        }
    }

    /** Looks up all names again. */
    public void lookUpAll() {
        Set<String> hosts = new HashSet<>();
        for (ServiceFleet fleet : fleets.all()) {
            fleet.instances().stream()
                    .map(instance -> instance.key().host())
                    .filter(host -> EndpointAddress.parse(host, 0) == null)
                    .forEach(hosts::add);
        }
        addresses.refresh(hosts);
        prepare();
    }

    private void prepare() {
        for (ServiceFleet fleet : fleets.all()) {
            fleet.instances().forEach(fleets.kernel()::prepare);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import io.aether.core.table.EndpointAddress;
import io.aether.core.table.EndpointHealth;
import io.aether.core.table.HealthTable;
import io.aether.core.table.TableLayout;
import io.aether.core.table.TableSource;

/** The PEER slots of the health table. An instance remembers its slot; the slot's key tells when that is out of date. */
final class TableView implements KernelView {
    private final TableSource source;
    private final Resolver resolver;

    TableView(TableSource source, Resolver resolver) {
        this.source = source;
        this.resolver = resolver;
    }

    @Override
    public boolean read(Instance instance, EndpointHealth into) {
        HealthTable table = source.current();
        EndpointAddress address = instance.address();
        if (table == null || address == null) {
            return false;
        }
        if (read(table, instance.slot, address, into)) {
            return true;
        }
        int slot = table.find(source.netns(), address.hi(), address.lo(), address.port(), TableLayout.KIND_PEER);
        instance.slot = slot;
        return slot >= 0 && read(table, slot, address, into);
    }

    private boolean read(HealthTable table, int slot, EndpointAddress address, EndpointHealth into) {
        return table.read(
                slot, source.netns(), address.hi(), address.lo(), address.port(), TableLayout.KIND_PEER, into);
    }

    @Override
    public void prepare(Instance instance) {
        InstanceKey key = instance.key();
        EndpointAddress address = EndpointAddress.parse(key.host(), key.port());
        if (address == null) {
            address = resolver.resolve(key);
        }
        if (address != null && !address.equals(instance.address())) {
            instance.address(address);
        }
    }
}

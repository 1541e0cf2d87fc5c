// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.micro;

import io.aether.core.NanoClock;
import io.aether.core.pick.Fleet;
import io.aether.core.pick.KernelView;
import io.aether.core.pick.PickSettings;
import io.aether.core.pick.Resolver;
import io.aether.core.table.TableSource;
import java.io.IOException;

/** A fleet that has answered requests, on kernel signals from a live table. */
final class LiveFleet implements AutoCloseable {
    private final LiveTable live;
    private final TableSource source;
    private final Fleet fleet;

    LiveFleet(int size, PickSettings settings) throws IOException {
        live = new LiveTable(size);
        source = new TableSource(live.file(), NanoClock.system(), LiveTable.NETNS);
        source.refresh();
        fleet = Fleets.fleet(size, settings, KernelView.of(source, Resolver.LITERALS_ONLY));
    }

    Fleet fleet() {
        return fleet;
    }

    @Override
    public void close() throws IOException {
        source.close();
        live.close();
    }
}

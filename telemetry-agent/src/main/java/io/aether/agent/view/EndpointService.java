// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.view;

import io.aether.agent.cgroup.CgroupNames;
import io.aether.agent.probe.ProbeService;
import io.aether.core.NanoClock;
import io.aether.core.table.HealthTable;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The table's contents for whoever serves them, and the names of cgroups. Thread-safe. */
@Component
public class EndpointService {
    private final ProbeService probes;
    private final NanoClock clock;
    private @Nullable CgroupNames names;

    public EndpointService(ProbeService probes, NanoClock clock) {
        this.probes = probes;
        this.clock = clock;
    }

    /** Everything in the table; nothing while there is no table. */
    public Endpoints read() {
        HealthTable table = probes.table();
        return table == null ? Endpoints.NONE : new TableView(table, clock, this::cgroupName).read();
    }

    /** The short name of a cgroup's id. */
    public synchronized String cgroupName(long id) {
        if (names == null) {
            Path top = probes.cgroup();
            if (top == null) {
                return "unknown";
            }
            names = new CgroupNames(top, clock::nanos);
        }
        return names.name(id);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import io.aether.agent.cgroup.CgroupFinder;
import io.aether.agent.cgroup.CgroupNotFoundException;
import java.nio.file.Path;

/**
 * The cgroup v2 directory that holds every process of this run, and that the probes watch: the machine's root, and with it
 * everybody else's processes, is never touched. Removed when the run ends.
 */
public final class Area {
    private static final Cgroup CGROUP = create();

    private Area() {}

    private static Cgroup create() {
        try {
            return new Cgroup(new CgroupFinder(Path.of("/")).find(null).path());
        } catch (CgroupNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    public static Path directory() {
        return CGROUP.directory();
    }

    /** Takes in a process that has opened no socket yet: sockets stay in the cgroup in which they were opened. */
    static void add(long pid) {
        CGROUP.add(pid);
    }
}

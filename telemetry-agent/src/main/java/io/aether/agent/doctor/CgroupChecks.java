// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.doctor;

import io.aether.agent.cgroup.CgroupFinder;
import io.aether.agent.cgroup.CgroupMount;
import io.aether.agent.cgroup.CgroupNotFoundException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How cgroups are mounted, and which one the agent would watch. */
final class CgroupChecks {
    private static final String GROUP = "cgroups";

    private final Host host;
    private final Check found;
    private Path watched = Path.of("/sys/fs/cgroup");

    /** @param given the configured directory, or null to look for it */
    CgroupChecks(Host host, @Nullable Path given) {
        this.host = host;
        this.found = find(given);
    }

    private Check find(@Nullable Path given) {
        try {
            CgroupFinder.Found result = new CgroupFinder(host.root()).find(given);
            watched = result.path();
            return result.wholeNode()
                    ? Check.ok(GROUP, "watched", result.how())
                    : Check.note(
                            GROUP,
                            "watched",
                            result.how(),
                            "share the host's process namespace or set aether.agent.cgroup");
        } catch (CgroupNotFoundException e) {
            return Check.problem(GROUP, "watched", String.valueOf(e.getMessage()), e.fix());
        }
    }

    /** The directory, or the usual one when there is none. */
    Path watched() {
        return watched;
    }

    List<Check> checks() {
        return List.of(Check.ok(GROUP, "layout", layout()), found);
    }

    private String layout() {
        List<CgroupMount> mounts = CgroupMount.parse(host.lines("/proc/self/mountinfo"));
        boolean v1 = mounts.stream().anyMatch(mount -> mount.version() == 1);
        boolean v2 = mounts.stream().anyMatch(mount -> mount.version() == 2);
        if (v1 && v2) {
            return "hybrid (version 2 beside version 1)";
        }
        if (v2) {
            return "version 2";
        }
        return v1 ? "version 1 only" : "none mounted";
    }
}

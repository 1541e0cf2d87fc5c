// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Cgroups with a CPU quota, in whatever hierarchy has the controller here, and the kernel's own account of them. */
final class Quota {
    private static final Path VERSION1 = Path.of("/sys/fs/cgroup/cpu");
    private static final int PERIOD_MICROS = 100_000;

    private Quota() {}

    /** Whether the controller lies in a hierarchy of version 1: a process then needs a version 2 cgroup too. */
    static boolean version1() {
        return Files.exists(VERSION1.resolve("cpu.cfs_quota_us"));
    }

    /** A cgroup that gets so much CPU time of every 100 ms; the test is skipped where no cgroup can have a quota. */
    static Cgroup group(int micros) throws IOException {
        if (version1()) {
            Cgroup limited = new Cgroup(VERSION1);
            limited.set("cpu.cfs_period_us", Integer.toString(PERIOD_MICROS));
            limited.set("cpu.cfs_quota_us", Integer.toString(micros));
            return limited;
        }
        boolean delegated = Files.readString(Area.directory().resolve("cgroup.subtree_control"))
                .contains("cpu");
        assumeTrue(delegated, "the cpu controller is not available to cgroups here");
        Cgroup limited = new Cgroup(Area.directory());
        limited.set("cpu.max", micros + " " + PERIOD_MICROS);
        return limited;
    }

    /** Time without CPU for want of quota, as the controller counts it: a gap shows once it is over. */
    static long throttledNanos(Cgroup cgroup) {
        try {
            for (String line : Files.readAllLines(cgroup.directory().resolve("cpu.stat"))) {
                String[] words = line.split(" ");
                if (words[0].equals("throttled_time")) {
                    return Long.parseLong(words[1]);
                }
                if (words[0].equals("throttled_usec")) {
                    return Long.parseLong(words[1]) * 1000;
                }
            }
            return 0;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}

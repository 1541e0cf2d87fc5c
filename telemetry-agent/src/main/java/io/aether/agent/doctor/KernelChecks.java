// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.doctor;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The kernel itself. */
final class KernelChecks {
    private static final String GROUP = "kernel";
    private static final String BTF = "/sys/kernel/btf/vmlinux";
    private static final Pattern VERSION = Pattern.compile("^(\\d+)\\.(\\d+)");

    /** Below the first nothing works, from the last on everything does. */
    private static final int FLOOR = version(5, 10);

    private static final int ITERATORS = version(5, 15);
    private static final int ADOPTION = version(6, 12);

    private KernelChecks() {}

    static List<Check> checks(Host host) {
        return List.of(release(host.read("/proc/sys/kernel/osrelease")), types(host), statistics(host));
    }

    private static Check release(String release) {
        Matcher matcher = VERSION.matcher(release);
        if (!matcher.find()) {
            return Check.problem(GROUP, "version", "not Linux", "run the agent on Linux 5.10 or newer");
        }
        int version = version(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
        if (version < FLOOR) {
            return Check.problem(GROUP, "version", release + " is too old", "Linux 5.10 or newer");
        }
        if (version < ITERATORS) {
            return Check.note(GROUP, "version", release + ": not every probe attaches", "Linux 5.15 or newer");
        }
        if (version < ADOPTION) {
            return Check.note(
                    GROUP,
                    "version",
                    release + ": connections older than the agent are not seen",
                    "Linux 6.12 or newer, or start the agent before the applications");
        }
        return Check.ok(GROUP, "version", release);
    }

    private static Check types(Host host) {
        return host.readable(BTF)
                ? Check.ok(GROUP, "types (BTF)", BTF)
                : Check.problem(
                        GROUP, "types (BTF)", BTF + " is not there", "a kernel built with CONFIG_DEBUG_INFO_BTF");
    }

    private static Check statistics(Host host) {
        return host.read("/proc/sys/kernel/bpf_stats_enabled").equals("1")
                ? Check.ok(GROUP, "program statistics", "counted")
                : Check.ok(GROUP, "program statistics", "not counted (sysctl -w kernel.bpf_stats_enabled=1 to count)");
    }

    private static int version(int major, int minor) {
        return major * 1000 + minor;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What this kernel offers to this process, and whose programs are at the hooks already. Attaches nothing. */
public final class KernelInspection {
    private static final int FIELDS = 4;

    private KernelInspection() {}

    /**
     * One finding.
     *
     * @param topic {@code hook}: what a program of two instructions may use; {@code cgroup}: programs attached to a cgroup
     *     or above it; {@code xdp}: programs attached to an interface
     * @param subject the hook or the interface
     * @param state of a hook {@code available}, {@code unsupported} or {@code denied}; of programs at a cgroup {@code
     *     alone}, when nobody else can attach, or {@code shared}; at an interface the mode
     * @param detail the error, or the programs by name
     */
    public record Finding(String topic, String subject, String state, String detail) {}

    /**
     * Looks at the kernel once.
     *
     * @param cgroup the cgroup to be watched
     * @throws ProbesUnavailableException off Linux or without the native library
     */
    public static List<Finding> inspect(Path cgroup) {
        NativeLibrary.load();
        String[] fields = Native.inspect(cgroup.toString());
        List<Finding> findings = new ArrayList<>();
        for (int i = 0; i < fields.length; i += FIELDS) {
            findings.add(new Finding(fields[i], fields[i + 1], fields[i + 2], fields[i + 3]));
        }
        return List.copyOf(findings);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;

/** The CPUs as the JVM knows them: in a container, those and the quota that it may use. */
public final class ProcessCpu {
    private static final OperatingSystemMXBean SYSTEM = ManagementFactory.getOperatingSystemMXBean();

    private ProcessCpu() {}

    /** CPU time of this process in ns; negative when unknown. */
    public static long nanos() {
        return SYSTEM instanceof com.sun.management.OperatingSystemMXBean system ? system.getProcessCpuTime() : -1;
    }

    /** Share of the CPUs in use since it was asked last, by anybody in the container or on the host; negative when unknown. */
    public static double usage() {
        return SYSTEM instanceof com.sun.management.OperatingSystemMXBean system ? system.getCpuLoad() : -1;
    }
}

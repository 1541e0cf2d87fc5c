// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.doctor;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What the doctor was asked.
 *
 * @param json whether to print JSON in place of a table
 * @param clean whether to remove what a killed agent left in the kernel
 * @param cgroup {@code aether.agent.cgroup} of the agent, or null
 * @param table its {@code aether.agent.table-path}
 * @param pins its {@code aether.agent.pin.directory}
 * @param port its {@code server.port} on loopback
 */
record DoctorOptions(boolean json, boolean clean, @Nullable Path cgroup, Path table, Path pins, int port) {
    static final String USAGE = """
            usage: doctor [--json] [--clean] [--cgroup DIR] [--table FILE] [--pins DIR] [--port N]

              --json         print JSON
              --clean        remove what a killed agent left pinned in the kernel, and nothing else
              --cgroup DIR   as aether.agent.cgroup; found by itself without
              --table FILE   as aether.agent.table-path (default /run/aether/health)
              --pins DIR     as aether.agent.pin.directory (default /sys/fs/bpf/aether)
              --port N       where a running agent listens (default 9464)
            """;

    private static final DoctorOptions DEFAULT =
            new DoctorOptions(false, false, null, Path.of("/run/aether/health"), Path.of("/sys/fs/bpf/aether"), 9464);

    /** @throws IllegalArgumentException naming what is wrong */
    static DoctorOptions parse(String... args) {
        DoctorOptions options = DEFAULT;
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--json" -> options = options.with(true, options.clean);
                case "--clean" -> options = options.with(options.json, true);
                default -> {
                    if (i + 1 == args.length) {
                        throw new IllegalArgumentException(args[i] + " is unknown or lacks its value");
                    }
                    options = options.with(args[i], args[i + 1]);
                    i++;
                }
            }
        }
        return options;
    }

    private DoctorOptions with(boolean newJson, boolean newClean) {
        return new DoctorOptions(newJson, newClean, cgroup, table, pins, port);
    }

    private DoctorOptions with(String option, String value) {
        return switch (option) {
            case "--cgroup" -> new DoctorOptions(json, clean, Path.of(value), table, pins, port);
            case "--table" -> new DoctorOptions(json, clean, cgroup, Path.of(value), pins, port);
            case "--pins" ->
                new DoctorOptions(json, clean, cgroup, table, Path.of(value).toAbsolutePath(), port);
            case "--port" -> new DoctorOptions(json, clean, cgroup, table, pins, port(value));
            default -> throw new IllegalArgumentException(option + " is unknown");
        };
    }

    private static int port(String value) {
        try {
            int port = Integer.parseInt(value);
            if (port > 0 && port < 65_536) {
                return port;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new IllegalArgumentException("--port must be a number between 1 and 65535, not " + value);
    }
}

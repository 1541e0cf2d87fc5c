// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Somebody else's sockops program at a cgroup, attached without a link as older tools do it; closing detaches it. It
 * outlives its tool, and without a flag nobody else can attach there or below.
 */
final class ForeignProgram implements AutoCloseable {
    private static final String SOURCE = """
            #define SEC(name) __attribute__((section(name), used))
            SEC("sockops") int foreign_ops(void *context) { return 1; }
            char LICENSE[] SEC("license") = "GPL";
            """;

    private final Path cgroup;
    private final BpfFileSystem files = new BpfFileSystem();
    private final Path program;

    /** @param flags as {@code bpftool cgroup attach} takes them */
    ForeignProgram(Path cgroup, String... flags) {
        this.cgroup = cgroup;
        program = files.pins().resolveSibling("foreign");
        try {
            load();
            List<String> command = new ArrayList<>(List.of(
                    "bpftool", "cgroup", "attach", cgroup.toString(), "sock_ops", "pinned", program.toString()));
            command.addAll(List.of(flags));
            Shell.run(command.toArray(String[]::new));
        } catch (IOException | RuntimeException e) {
            files.close();
            throw new IllegalStateException(e);
        }
    }

    private void load() throws IOException {
        Path directory = Files.createTempDirectory("aether-foreign");
        Path source = directory.resolve("foreign.c");
        Path object = directory.resolve("foreign.o");
        try {
            Files.writeString(source, SOURCE);
            Shell.run("clang", "-O2", "-g", "-target", "bpf", "-c", source.toString(), "-o", object.toString());
            Shell.run("bpftool", "prog", "load", object.toString(), program.toString());
        } finally {
            Files.deleteIfExists(source);
            Files.deleteIfExists(object);
            Files.delete(directory);
        }
    }

    String name() {
        return "foreign_ops";
    }

    @Override
    public void close() {
        try {
            Shell.run("bpftool", "cgroup", "detach", cgroup.toString(), "sock_ops", "pinned", program.toString());
        } finally {
            files.close();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A bpf file system of its own; closing unmounts it, and with it ends whatever was pinned there. */
final class BpfFileSystem implements AutoCloseable {
    private final Path mount;

    BpfFileSystem() {
        try {
            mount = Files.createTempDirectory("aether-bpffs");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        Shell.run("mount", "-t", "bpf", "bpf", mount.toString());
    }

    /** For the agent to make. */
    Path pins() {
        return mount.resolve("aether");
    }

    /** Overwrites what the pinned maps of a probe are said to look like. */
    void falsifyLayout(String probe) {
        String layout = pins().resolve(probe).resolve("layout").toString();
        Shell.run(
                "bash",
                "-c",
                "bpftool map update pinned " + layout + " key 0 0 0 0 value $(printf '1 %.0s' $(seq 24))");
    }

    void makeReadOnly() {
        Shell.run("mount", "-o", "remount,ro", mount.toString());
    }

    @Override
    public void close() {
        Shell.run("umount", mount.toString());
        try {
            Files.delete(mount);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}

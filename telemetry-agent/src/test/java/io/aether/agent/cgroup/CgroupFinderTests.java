// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CgroupFinderTests {
    private static final String NODE = "cgroup:[4026531835]";
    private static final String CONTAINER = "cgroup:[4026532561]";
    private static final String PURE = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n";
    private static final String HYBRID = """
            31 23 0:28 / /sys/fs/cgroup ro shared:5 - tmpfs tmpfs ro,mode=755
            32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:6 - cgroup cgroup rw,cpu,cpuacct
            41 31 0:38 / /sys/fs/cgroup/unified rw shared:7 - cgroup2 cgroup2 rw,nsdelegate
            """;

    @TempDir
    Path root;

    @Test
    void findsThePureHierarchy() throws Exception {
        process("self", NODE, PURE);
        version2("sys/fs/cgroup");

        CgroupFinder.Found found = finder().find(null);

        assertThat(found.path()).isEqualTo(Path.of("/sys/fs/cgroup"));
        assertThat(found.wholeNode()).isTrue();
    }

    @Test
    void findsTheHybridHierarchy() throws Exception {
        process("self", NODE, HYBRID);
        version2("sys/fs/cgroup/unified");

        assertThat(finder().find(null).path()).isEqualTo(Path.of("/sys/fs/cgroup/unified"));
    }

    @Test
    void prefersAHostMountInsideAContainer() throws Exception {
        process("self", CONTAINER, PURE + "90 23 0:26 /../.. /host/sys/fs/cgroup ro - cgroup2 cgroup2 rw\n");
        version2("sys/fs/cgroup");
        version2("host/sys/fs/cgroup");

        CgroupFinder.Found found = finder().find(null);

        assertThat(found.path()).isEqualTo(Path.of("/host/sys/fs/cgroup"));
        assertThat(found.wholeNode()).isTrue();
    }

    @Test
    void goesThroughTheNodesInitWhenItIsVisible() throws Exception {
        process("self", CONTAINER, PURE);
        process("1", NODE, HYBRID);
        version2("sys/fs/cgroup");
        version2("proc/1/root/sys/fs/cgroup/unified");

        CgroupFinder.Found found = finder().find(null);

        assertThat(found.path()).isEqualTo(Path.of("/proc/1/root/sys/fs/cgroup/unified"));
        assertThat(found.wholeNode()).isTrue();
    }

    @Test
    void settlesForTheContainersOwnPartAndSaysSo() throws Exception {
        process("self", CONTAINER, PURE);
        process("1", CONTAINER, PURE);
        version2("sys/fs/cgroup");

        CgroupFinder.Found found = finder().find(null);

        assertThat(found.path()).isEqualTo(Path.of("/sys/fs/cgroup"));
        assertThat(found.wholeNode()).isFalse();
        assertThat(found.how()).contains("only this container's", "aether.agent.cgroup");
    }

    @Test
    void readsEscapedMountPoints() throws Exception {
        process("self", NODE, "30 23 0:26 / /mnt/a\\040b rw - cgroup2 cgroup2 rw\n");
        version2("mnt/a b");

        assertThat(finder().find(null).path()).isEqualTo(Path.of("/mnt/a b"));
    }

    @Test
    void saysHowToMountVersion2BesideVersion1() throws Exception {
        process("self", NODE, "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n");

        CgroupNotFoundException e = failure(null);

        assertThat(e).hasMessageContaining("only cgroup v1");
        assertThat(e.fix()).contains("mount -t cgroup2");
    }

    @Test
    void saysWhenThereIsNoProc() {
        assertThat(failure(null)).hasMessageContaining("/proc/self/mountinfo").hasMessageContaining("not Linux");
    }

    @Test
    void takesTheGivenDirectory() throws Exception {
        version2("some/where");

        assertThat(finder().find(Path.of("/some/where")).path()).isEqualTo(Path.of("/some/where"));
    }

    @Test
    void namesWhatIsWrongWithTheGivenDirectory() throws Exception {
        Files.createDirectories(root.resolve("v1"));
        Files.createFile(root.resolve("v1/cgroup.procs"));
        Files.createDirectories(root.resolve("plain"));
        Files.createFile(root.resolve("file"));

        assertThat(failure(Path.of("/nowhere"))).hasMessage("aether.agent.cgroup=/nowhere does not exist");
        assertThat(failure(Path.of("/file"))).hasMessageContaining("/file is not a directory");
        assertThat(failure(Path.of("/v1"))).hasMessageContaining("/v1 belongs to a cgroup v1 hierarchy");
        assertThat(failure(Path.of("/plain"))).hasMessageContaining("/plain is not a cgroup v2 directory");
        assertThat(failure(Path.of("/plain")).fix()).contains("findmnt -t cgroup2");
    }

    private CgroupFinder finder() {
        return new CgroupFinder(root);
    }

    private CgroupNotFoundException failure(@Nullable Path given) {
        CgroupNotFoundException e = catchThrowableOfType(CgroupNotFoundException.class, () -> finder().find(given));
        assertThat(e).isNotNull();
        return e;
    }

    private void process(String id, String namespace, String mountinfo) throws IOException {
        Path directory = Files.createDirectories(root.resolve("proc").resolve(id));
        Files.writeString(directory.resolve("mountinfo"), mountinfo);
        Files.createDirectories(directory.resolve("ns"));
        Files.createSymbolicLink(directory.resolve("ns/cgroup"), Path.of(namespace));
    }

    private void version2(String directory) throws IOException {
        Files.createDirectories(root.resolve(directory));
        Files.createFile(root.resolve(directory).resolve("cgroup.controllers"));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CgroupNamesTests {
    @TempDir
    Path top;

    private final AtomicLong clock = new AtomicLong();

    @Test
    void namesDirectoriesByTheirInode() throws IOException {
        Path unit = Files.createDirectories(top.resolve("system.slice/shop.service"));

        assertThat(names().name(inode(unit))).isEqualTo("shop.service");
        assertThat(names().name(1)).isEqualTo(CgroupNames.GONE);
    }

    @Test
    void looksAgainForWhatIsNewButNotForWhatIsGone() throws IOException {
        CgroupNames names = names();
        assertThat(names.name(1)).isEqualTo(CgroupNames.GONE);
        Path late = Files.createDirectory(top.resolve("late"));
        assertThat(names.name(inode(late))).as("within five seconds").isEqualTo(CgroupNames.GONE);
        clock.addAndGet(TimeUnit.SECONDS.toNanos(6));
        assertThat(names.name(1)).isEqualTo(CgroupNames.GONE);
        assertThat(names.name(inode(late))).isEqualTo("late");
    }

    /** Directories may be called anything but a slash; here bytes that are no text in any encoding Java may assume. */
    @Test
    void survivesNamesThatAreNoText() throws IOException, InterruptedException {
        Process make = new ProcessBuilder("sh", "-c", "mkdir \"$(printf 'a\\377\\376\"\\\\b\\nc')\"")
                .directory(top.toFile())
                .redirectErrorStream(true)
                .start();
        assertThat(new String(make.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEmpty();
        assertThat(make.waitFor()).isZero();
        Path directory;
        try (var files = Files.list(top)) {
            directory = files.findFirst().orElseThrow();
        }

        assertThat(names().name(inode(directory)))
                .startsWith("a")
                .endsWith("c")
                .hasSize(8)
                .contains("\"\\b?");
    }

    private CgroupNames names() {
        return new CgroupNames(top, clock::get, new NodeContainerNames(top));
    }

    private static long inode(Path path) throws IOException {
        return (Long) Files.getAttribute(path, "unix:ino");
    }
}

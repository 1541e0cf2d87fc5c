// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.cgroup;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Names for cgroup ids. The kernel's id of a cgroup is the inode number of its directory, so a walk of the hierarchy
 * names them all; the walk is repeated when an unknown id turns up, at most every five seconds. Thread-safe.
 */
public final class CgroupNames {
    private static final long WALK_INTERVAL_NANOS = 5_000_000_000L;
    private static final int MAX_DEPTH = 16;
    private static final int MAX_DIRECTORIES = 20_000;

    private final Path top;
    private final LongSupplier clock;
    private Map<Long, Path> directories = Map.of();
    private long walkedAt;
    private boolean walked;

    /**
     * @param top the hierarchy's mount point or the watched directory
     * @param clock monotonic time in ns
     */
    public CgroupNames(Path top, LongSupplier clock) {
        this.top = top;
        this.clock = clock;
    }

    /** The short name of a cgroup, or {@code gone} when no directory has this id any more. */
    public synchronized String name(long id) {
        Path directory = directory(id);
        if (directory == null) {
            return "gone";
        }
        Path below = top.relativize(directory);
        return CgroupName.of("/" + below);
    }

    private @Nullable Path directory(long id) {
        Path known = directories.get(id);
        long now = clock.getAsLong();
        if (known == null && (!walked || now - walkedAt >= WALK_INTERVAL_NANOS)) {
            walk();
            walked = true;
            walkedAt = now;
            known = directories.get(id);
        }
        return known;
    }

    private void walk() {
        Map<Long, Path> found = new HashMap<>();
        try {
            Files.walkFileTree(top, EnumSet.noneOf(FileVisitOption.class), MAX_DEPTH, new Collector(found));
        } catch (IOException incomplete) {
            // What was found still has a name; the rest shows as "gone".
        }
        directories = found;
    }

    private static final class Collector extends SimpleFileVisitor<Path> {
        private final Map<Long, Path> found;

        Collector(Map<Long, Path> found) {
            this.found = found;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) throws IOException {
            found.put((Long) Files.getAttribute(directory, "unix:ino"), directory);
            return found.size() < MAX_DIRECTORIES ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException removedMeanwhile) {
            return FileVisitResult.CONTINUE;
        }
    }
}

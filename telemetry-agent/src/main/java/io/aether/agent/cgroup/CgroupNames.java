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
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Names for cgroup ids. The kernel's id of a cgroup is the inode number of its directory, so a walk of the hierarchy
 * names them all; the walk is repeated when an id turns up that was not asked about before, at most every five seconds.
 * Thread-safe.
 */
public final class CgroupNames {
    /** The name of a cgroup that is not there any more. */
    public static final String GONE = "gone";

    private static final long WALK_INTERVAL_NANOS = 5_000_000_000L;
    private static final int MAX_DEPTH = 16;
    private static final int MAX_DIRECTORIES = 20_000;

    private final Path top;
    private final LongSupplier clock;
    private final NodeContainerNames containers;
    /** Asked about and not there at the last walk: ids are not used again, so these stay gone. */
    private final Set<Long> gone = new HashSet<>();

    private Map<Long, String> names = Map.of();
    private long walkedAt;
    private boolean walked;

    /**
     * @param top the hierarchy's mount point or the watched directory
     * @param clock monotonic time in ns
     */
    public CgroupNames(Path top, LongSupplier clock) {
        this(top, clock, new NodeContainerNames(Path.of("/")));
    }

    /** @param containers where the names of containers come from */
    CgroupNames(Path top, LongSupplier clock, NodeContainerNames containers) {
        this.top = top;
        this.clock = clock;
        this.containers = containers;
    }

    /** The short name of a cgroup, or {@value #GONE} when no directory has this id any more. */
    public synchronized String name(long id) {
        String known = names.get(id);
        long now = clock.getAsLong();
        if (known == null && !gone.contains(id) && (!walked || now - walkedAt >= WALK_INTERVAL_NANOS)) {
            walk();
            walked = true;
            walkedAt = now;
            known = names.get(id);
            if (known == null && gone.size() < MAX_DIRECTORIES) {
                gone.add(id);
            }
        }
        return known == null ? GONE : known;
    }

    private void walk() {
        Map<Long, Path> found = new HashMap<>();
        try {
            Files.walkFileTree(top, EnumSet.noneOf(FileVisitOption.class), MAX_DEPTH, new Collector(found));
        } catch (IOException incomplete) {
            // What was found still has a name; the rest shows as "gone".
        }
        containers.refresh();
        Map<Long, String> next = new HashMap<>();
        found.forEach((id, path) -> next.put(id, CgroupName.of("/" + top.relativize(path), containers)));
        names = next;
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

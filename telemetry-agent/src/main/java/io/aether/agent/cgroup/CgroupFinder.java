// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the cgroup v2 directory whose sockets and tasks the agent watches: the whole node's if it can be reached.
 *
 * <p>On the node itself that is the mounted v2 hierarchy (pure v2: {@code /sys/fs/cgroup}, hybrid: {@code
 * /sys/fs/cgroup/unified}). Inside a container the visible root is the container's own subtree, so a host mount or the
 * init process's root comes first; the subtree is the last resort, and the result says so. Stateless.
 */
public final class CgroupFinder {
    /** Inode of the node's first cgroup namespace, fixed by the kernel (include/linux/proc_ns.h). */
    private static final String INITIAL_NAMESPACE = "cgroup:[4026531835]";

    private static final String GIVE_ONE =
            "set aether.agent.cgroup to the node's cgroup v2 directory (find it with: findmnt -t cgroup2)";

    private final Path root;

    /** @param root the file system to look at, {@code /} except in tests */
    public CgroupFinder(Path root) {
        this.root = root;
    }

    /**
     * What was found.
     *
     * @param path the directory, absolute as this process sees it
     * @param wholeNode false when it is only this container's part
     * @param how one phrase for the log
     */
    public record Found(Path path, boolean wholeNode, String how) {}

    /**
     * The directory to watch.
     *
     * @param given the configured one, or null to look for it
     */
    public Found find(@Nullable Path given) throws CgroupNotFoundException {
        if (given != null) {
            return check(given);
        }
        List<CgroupMount> mounts = mountsOf("self");
        boolean onNode = namespaceOf("self").map(INITIAL_NAMESPACE::equals).orElse(true);
        if (onNode) {
            return shortest(mounts, "")
                    .map(path -> new Found(path, true, path.toString()))
                    .orElseThrow(() -> nothing(mounts));
        }
        return hostMount(mounts).or(this::throughInit).or(() -> own(mounts)).orElseThrow(() -> nothing(mounts));
    }

    private Found check(Path given) throws CgroupNotFoundException {
        Path path = under(given);
        if (!Files.exists(path)) {
            throw new CgroupNotFoundException("aether.agent.cgroup=" + given + " does not exist", GIVE_ONE);
        }
        if (!Files.isDirectory(path)) {
            throw new CgroupNotFoundException("aether.agent.cgroup=" + given + " is not a directory", GIVE_ONE);
        }
        if (!isVersion2(path)) {
            boolean version1 = Files.exists(path.resolve("cgroup.procs"));
            throw new CgroupNotFoundException(
                    "aether.agent.cgroup=" + given
                            + (version1
                                    ? " belongs to a cgroup v1 hierarchy; sockets are watched through v2"
                                    : " is not a cgroup v2 directory (it has no cgroup.controllers)"),
                    GIVE_ONE);
        }
        return new Found(given, true, given + ", as given");
    }

    /** A mount whose root lies above our own cgroup namespace can only have come from the node. */
    private Optional<Found> hostMount(List<CgroupMount> mounts) {
        return shortest(mounts, "/..").map(path -> new Found(path, true, "the node's, at " + path));
    }

    private Optional<Found> throughInit() {
        if (!namespaceOf("1").map(INITIAL_NAMESPACE::equals).orElse(false)) {
            return Optional.empty(); // process 1 is the container's own
        }
        Path initRoot = Path.of("/proc/1/root");
        return mountsOf("1").stream()
                .filter(mount -> mount.version() == 2)
                .map(mount -> initRoot.resolve(mount.point().toString().substring(1)))
                .filter(path -> isVersion2(under(path)))
                .findFirst()
                .map(path -> new Found(path, true, "the node's, through process 1 at " + path));
    }

    private Optional<Found> own(List<CgroupMount> mounts) {
        return shortest(mounts, "")
                .map(path -> new Found(
                        path,
                        false,
                        "only this container's, at " + path
                                + "; for the whole node share the host's process namespace or mount its /sys/fs/cgroup"
                                + " and set aether.agent.cgroup"));
    }

    private Optional<Path> shortest(List<CgroupMount> mounts, String rootPrefix) {
        return mounts.stream()
                .filter(mount ->
                        mount.version() == 2 && mount.root().startsWith(rootPrefix.isEmpty() ? "/" : rootPrefix))
                .map(CgroupMount::point)
                .filter(point -> isVersion2(under(point)))
                .min(Comparator.comparingInt(Path::getNameCount).thenComparing(Comparator.naturalOrder()));
    }

    private CgroupNotFoundException nothing(List<CgroupMount> mounts) {
        if (!Files.exists(under(Path.of("/proc/self/mountinfo")))) {
            return new CgroupNotFoundException("no /proc/self/mountinfo: not Linux, or /proc is not mounted", GIVE_ONE);
        }
        if (mounts.stream().anyMatch(mount -> mount.version() == 1)) {
            return new CgroupNotFoundException(
                    "only cgroup v1 is mounted; sockets are watched through cgroup v2",
                    "mount it beside v1: mkdir -p /sys/fs/cgroup/unified && mount -t cgroup2 none /sys/fs/cgroup/unified");
        }
        return new CgroupNotFoundException("no cgroup v2 hierarchy is mounted", "mount -t cgroup2 none /sys/fs/cgroup");
    }

    private List<CgroupMount> mountsOf(String process) {
        try {
            return CgroupMount.parse(Files.readAllLines(under(Path.of("/proc", process, "mountinfo"))));
        } catch (IOException unreadable) {
            return List.of();
        }
    }

    private Optional<String> namespaceOf(String process) {
        try {
            return Optional.of(Files.readSymbolicLink(under(Path.of("/proc", process, "ns/cgroup")))
                    .toString());
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    private Path under(Path absolute) {
        return root.resolve(absolute.toString().substring(1));
    }

    /** Every directory of a v2 hierarchy has this file, none of a v1 hierarchy has it. */
    private static boolean isVersion2(Path directory) {
        return Files.isRegularFile(directory.resolve("cgroup.controllers"));
    }
}

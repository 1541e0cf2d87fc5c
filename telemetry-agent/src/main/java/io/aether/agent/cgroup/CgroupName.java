// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.cgroup;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Turns a cgroup's path into a short name an operator recognises: the container, the pod, the systemd unit, or else the
 * end of the path. Knows the shapes of docker, containerd, CRI-O, podman, LXC and systemd, under either cgroup driver and
 * in hierarchies of both versions. Names come from elsewhere and may hold anything: what cannot be printed becomes a
 * question mark, and no name is longer than {@value #MAX_LENGTH} characters.
 */
public final class CgroupName {
    /** Longest name handed out, in characters; a longer one keeps its end. */
    static final int MAX_LENGTH = 64;

    private static final int SHORT_ID = 12;
    private static final int SHORT_POD = 8;
    private static final Pattern CONTAINER = Pattern.compile(
            "(?:^|[/:])(?:(docker|cri-containerd|nerdctl|containerd|crio|libpod(?:-payload)?)[-:])?([0-9a-f]{64})(?:\\.scope)?(?:/|$)");
    private static final Pattern POD = Pattern.compile(
            "pod([0-9a-f]{8}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{12}|[0-9a-f]{32})(?![0-9a-f])");
    private static final Pattern LXC = Pattern.compile("/(?:lxc/|lxc\\.payload[./])([^/]+)");
    private static final Pattern MACHINE = Pattern.compile("/machine-([^/]+)\\.scope(?:/|$)");
    private static final Pattern UNIT = Pattern.compile("/([^/]+\\.service)(?:/|$)");

    private CgroupName() {}

    /** The name of a cgroup when nobody knows the names of containers; see {@link #of(String, ContainerNames)}. */
    public static String of(String path) {
        return of(path, ContainerNames.NONE);
    }

    /**
     * The name of a cgroup.
     *
     * @param path below the hierarchy's root, starting with a slash
     * @param names what the runtimes call their containers
     */
    public static String of(String path, ContainerNames names) {
        if (path.isEmpty() || path.equals("/")) {
            return "root";
        }
        Matcher container = CONTAINER.matcher(path);
        if (container.find()) {
            return tidy(containerName(path, container, names));
        }
        Matcher pod = POD.matcher(path);
        if (pod.find()) {
            return tidy(podName(pod.group(1), names));
        }
        Matcher lxc = LXC.matcher(path);
        if (lxc.find()) {
            return tidy("lxc/" + lxc.group(1));
        }
        Matcher machine = MACHINE.matcher(path);
        if (machine.find()) {
            return tidy("machine/" + machine.group(1));
        }
        Matcher unit = UNIT.matcher(path);
        String name = path.substring(1);
        while (unit.find()) {
            name = unit.group(1);
        }
        return tidy(name);
    }

    private static String containerName(String path, Matcher container, ContainerNames names) {
        String id = container.group(2);
        Matcher pod = POD.matcher(path);
        String name = names.container(id);
        if (pod.find()) {
            return name == null ? podName(pod.group(1), names) + "/" + id.substring(0, SHORT_ID) : "pod/" + name;
        }
        return runtime(path, container.group(1)) + "/" + (name == null ? id.substring(0, SHORT_ID) : name);
    }

    private static String podName(String uid, ContainerNames names) {
        String name = names.pod(uid.replace('_', '-'));
        return "pod/" + (name == null ? uid.substring(0, SHORT_POD) : name);
    }

    private static String runtime(String path, @Nullable String prefix) {
        String hint = prefix == null ? path : prefix;
        if (hint.contains("docker")) {
            return "docker";
        }
        if (hint.contains("containerd") || hint.contains("nerdctl")) {
            return "containerd";
        }
        if (hint.contains("crio")) {
            return "crio";
        }
        return hint.contains("libpod") ? "podman" : "container";
    }

    private static String tidy(String name) {
        String end = name.length() > MAX_LENGTH ? "~" + name.substring(name.length() - MAX_LENGTH + 1) : name;
        StringBuilder tidy = new StringBuilder(end.length());
        end.codePoints().forEach(c -> tidy.appendCodePoint(isPrintable(c) ? c : '?'));
        return tidy.toString();
    }

    private static boolean isPrintable(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.PRIVATE_USE,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}

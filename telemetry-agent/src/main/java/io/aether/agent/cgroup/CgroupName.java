// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.cgroup;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Turns a cgroup's path into a short name an operator recognises: the container runtime and the first 12 digits of the
 * container's id, the pod, the systemd unit, or else the end of the path.
 */
public final class CgroupName {
    /** Longest name handed out, in characters; a longer path keeps its end. */
    static final int MAX_LENGTH = 64;

    private static final int SHORT_ID = 12;
    private static final Pattern CONTAINER =
            Pattern.compile("(?:^|/)(?:(docker|cri-containerd|crio|libpod)[-:])?([0-9a-f]{64})(?:\\.scope)?(?:/|$)");
    private static final Pattern POD = Pattern.compile("pod([0-9a-f]{8}[-_][0-9a-f_-]{27})");
    private static final Pattern UNIT = Pattern.compile("/([^/]+\\.service)(?:/|$)");
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    private CgroupName() {}

    /**
     * The name of a cgroup.
     *
     * @param path below the hierarchy's root, starting with a slash
     */
    public static String of(String path) {
        if (path.isEmpty() || path.equals("/")) {
            return "root";
        }
        Matcher container = CONTAINER.matcher(path);
        if (container.find()) {
            return containerName(path, container);
        }
        Matcher pod = POD.matcher(path);
        if (pod.find()) {
            return "pod/" + pod.group(1).substring(0, 8);
        }
        Matcher unit = UNIT.matcher(path);
        String name = path.substring(1);
        while (unit.find()) {
            name = unit.group(1);
        }
        return tidy(name);
    }

    private static String containerName(String path, Matcher container) {
        String id = container.group(2).substring(0, SHORT_ID);
        Matcher pod = POD.matcher(path);
        if (pod.find()) {
            return "pod/" + pod.group(1).substring(0, 8) + "/" + id;
        }
        return runtime(path, container.group(1)) + "/" + id;
    }

    private static String runtime(String path, @Nullable String prefix) {
        String hint = prefix == null ? path : prefix;
        if (hint.contains("docker")) {
            return "docker";
        }
        if (hint.contains("containerd")) {
            return "containerd";
        }
        if (hint.contains("crio")) {
            return "crio";
        }
        return hint.contains("libpod") ? "podman" : "container";
    }

    private static String tidy(String name) {
        String end = name.length() > MAX_LENGTH ? "~" + name.substring(name.length() - MAX_LENGTH + 1) : name;
        return CONTROL.matcher(end).replaceAll("?");
    }
}

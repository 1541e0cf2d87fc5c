// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.cgroup;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Names of containers from files that the runtimes leave on the node, so that no runtime's socket, and with it no power over
 * the node, is needed: the kubelet's log links (any runtime under Kubernetes), docker's container settings, and the
 * store that podman and CRI-O share. A file that is missing, too long or not understood names nothing. What was found is
 * kept, what was not is looked for again when {@link #refresh} is called. Not thread-safe.
 */
public final class NodeContainerNames implements ContainerNames {
    private static final int MAX_BYTES = 4 << 20;
    private static final int MAX_FILES = 10_000;
    /** As the kubelet writes it: pod_namespace_container-id.log. */
    private static final Pattern LOG_LINK = Pattern.compile("([^_]+)_([^_]+)_(.+)-([0-9a-f]{64})\\.log");
    /** namespace_pod_uid. */
    private static final Pattern POD_LOGS = Pattern.compile("([^_]+)_([^_]+)_([0-9a-f-]{32,36})");

    private static final Pattern DOCKER_NAME = Pattern.compile("\"Name\":\"/?([^\"\\\\]{1,255})\"");
    private static final Pattern STORED =
            Pattern.compile("\"id\":\"([0-9a-f]{64})\",\"names\":\\[\"([^\"\\\\]{1,255})\"");

    private final Path root;
    private final Map<String, String> containers = new HashMap<>();
    private final Map<String, String> pods = new HashMap<>();

    /** @param root the node's file system: {@code /}, or {@code /proc/1/root} */
    public NodeContainerNames(Path root) {
        this.root = root;
    }

    /** Looks for what is new. Costs one listing of two directories and the reading of a file or two. */
    public void refresh() {
        containers.clear();
        pods.clear();
        list(
                "var/log/containers",
                name -> match(
                        LOG_LINK,
                        name,
                        m -> containers.put(m.group(4), m.group(2) + "/" + m.group(1) + "/" + m.group(3))));
        list("var/log/pods", name -> match(POD_LOGS, name, m -> pods.put(m.group(3), m.group(1) + "/" + m.group(2))));
        for (String store : new String[] {"var/lib/containers/storage", "run/containers/storage"}) {
            String text = read(root.resolve(store + "/overlay-containers/containers.json"));
            Matcher matcher = STORED.matcher(text);
            while (matcher.find()) {
                containers.putIfAbsent(matcher.group(1), matcher.group(2));
            }
        }
    }

    @Override
    public @Nullable String container(String id) {
        String known = containers.get(id);
        if (known == null) {
            match(
                    DOCKER_NAME,
                    read(root.resolve("var/lib/docker/containers").resolve(id).resolve("config.v2.json")),
                    m -> containers.put(id, m.group(1)));
            known = containers.get(id);
        }
        return known;
    }

    @Override
    public @Nullable String pod(String uid) {
        return pods.get(uid);
    }

    private static void match(Pattern pattern, String text, Consumer<Matcher> found) {
        Matcher matcher = pattern.matcher(text);
        if (matcher.find()) {
            found.accept(matcher);
        }
    }

    private void list(String directory, Consumer<String> name) {
        try (Stream<Path> files = Files.list(root.resolve(directory))) {
            files.limit(MAX_FILES)
                    .forEach(file -> name.accept(file.getFileName().toString()));
        } catch (IOException | UncheckedIOException | InvalidPathException notHere) {
            // This runtime leaves no names on this node, or not to this process.
        }
    }

    private static String read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES);
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException notHere) {
            return "";
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.stack;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The container engine of this machine, and what of the node the agent's container gets to see. */
final class Engine {

    /** Base of all images where none can be pulled, as {@code ./aether test} says; else unset. */
    static final String BASE = System.getenv().getOrDefault("AETHER_BASE", "");

    /** Where the agent of a test pins its maps: not where one that runs for real does. */
    static final String PINS =
            "/sys/fs/bpf/aether-test-" + ProcessHandle.current().pid();

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private Engine() {}

    /** What containers need and is not there; empty when all is. */
    static String missing() {
        if (!works("docker", "version")) {
            return "they need a container engine that runs, and its client (package docker.io)";
        }
        if (!"root".equals(System.getProperty("user.name"))) {
            return "they need root, to watch one part of the node's cgroups only";
        }
        if (compose().isEmpty()) {
            return "they need docker compose, or docker-compose 1.29 (package docker-compose)";
        }
        if (!Files.isDirectory(Path.of("/sys/fs/bpf"))) {
            return "the kernel has no bpf file system";
        }
        return "";
    }

    /** The command of compose: version 2 where it is there. */
    static List<String> compose() {
        return Stream.of(List.of("docker", "compose"), List.of("docker-compose"))
                .filter(command -> works(
                        Stream.concat(command.stream(), Stream.of("version")).toArray(String[]::new)))
                .findFirst()
                .orElse(List.of());
    }

    /** The command with the files that fit this machine: those of the Debian packages where no image can be pulled. */
    static List<String> composeFiles() {
        List<String> command = new ArrayList<>(compose());
        command.addAll(List.of("-f", "docker-compose.yml"));
        if (!BASE.isEmpty()) {
            command.addAll(List.of("-f", "docker-compose.debian.yml"));
        }
        return command;
    }

    private static boolean works(String... command) {
        try {
            return Command.result(Map.of(), LIMIT, List.of(command)).exitCode() == 0;
        } catch (UncheckedIOException noSuchProgram) {
            return false;
        }
    }

    /** The cgroup above all containers, as the agent's container sees it: no test watches the whole node. */
    static String cgroup() {
        String version2 = Files.isDirectory(Path.of("/sys/fs/cgroup/unified")) ? "/unified" : "";
        boolean systemd = info("CgroupDriver").equals("systemd");
        return "/host/cgroup" + version2 + (systemd ? "/system.slice" : "/docker");
    }

    /** Where the engine keeps what it knows of its containers. */
    static String root() {
        return info("DockerRootDir");
    }

    private static String info(String field) {
        return Command.run(Map.of(), LIMIT, List.of("docker", "info", "--format", "{{." + field + "}}"))
                .strip();
    }
}

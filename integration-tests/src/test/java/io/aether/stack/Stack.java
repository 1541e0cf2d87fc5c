// SPDX-License-Identifier: Apache-2.0
package io.aether.stack;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The stack of {@code docker-compose.yml} under a name and on ports of its own; closing it removes every trace. */
final class Stack implements AutoCloseable {

    private static final String LABEL = "com.docker.compose.";
    private static final Duration START = Duration.ofMinutes(6);
    private static final Duration SOON = Duration.ofMinutes(1);

    private final Map<String, String> environment = new LinkedHashMap<>();
    private final List<String> compose = Engine.composeFiles();
    private final int gateway = Web.freePort();
    private final int agent = Web.freePort();
    private final int prometheus = Web.freePort();
    private final int grafana = Web.freePort();

    Stack() throws IOException {
        environment.put(
                "COMPOSE_PROJECT_NAME", "aether-test-" + ProcessHandle.current().pid());
        environment.put("GATEWAY_PORT", Integer.toString(gateway));
        environment.put("AGENT_PORT", Integer.toString(agent));
        environment.put("PROMETHEUS_PORT", Integer.toString(prometheus));
        environment.put("GRAFANA_PORT", Integer.toString(grafana));
        environment.put("AETHER_AGENT_CGROUP", Engine.cgroup());
        environment.put("AETHER_AGENT_PIN_DIRECTORY", Engine.PINS);
        environment.put("DOCKER_ROOT", Engine.root());
    }

    /** The file as compose understands it; version 2 leaves out what no chosen profile has. */
    String config() {
        return compose(SOON, "--profile", "grafana", "config");
    }

    /** Starts everything but Grafana, in the order of its health. */
    void start() {
        compose(START, "up", "-d", "--no-build", "load", "faults", "prometheus");
    }

    String gateway() {
        return "http://127.0.0.1:" + gateway;
    }

    String agent() {
        return "http://127.0.0.1:" + agent;
    }

    String prometheus() {
        return "http://127.0.0.1:" + prometheus;
    }

    /** Runs a command in a service's container. By the engine's client: compose 1.29 takes seconds for each. */
    Command.Result exec(String service, String... command) {
        List<String> full = new ArrayList<>(List.of("docker", "exec", id(service)));
        full.addAll(List.of(command));
        return Command.result(Map.of(), SOON, full);
    }

    /** {@code fault NAME on|off}. */
    void fault(String name, String state) {
        Command.run(Map.of(), SOON, List.of("docker", "exec", id("faults"), "fault", name, state));
    }

    String logs(String service) {
        return Command.result(Map.of(), SOON, List.of("docker", "logs", "--tail=100", id(service)))
                .output();
    }

    /** What the engine knows of a service's container. */
    JsonNode inspect(String service) {
        return inspect(List.of(id(service))).get(0);
    }

    /** What it knows of all that run or have run, by service. */
    Map<String, JsonNode> containers() {
        Map<String, JsonNode> containers = new TreeMap<>();
        inspect(ids(""))
                .valueStream()
                .forEach(container -> containers.put(
                        container
                                .path("Config")
                                .path("Labels")
                                .path(LABEL + "service")
                                .asString(),
                        container));
        return containers;
    }

    private static JsonNode inspect(List<String> ids) {
        List<String> command = new ArrayList<>(List.of("docker", "inspect"));
        command.addAll(ids);
        return new ObjectMapper().readTree(Command.run(Map.of(), SOON, command));
    }

    private String id(String service) {
        return ids("--filter=label=" + LABEL + "service=" + service).get(0);
    }

    private List<String> ids(String filter) {
        List<String> command = new ArrayList<>(List.of("docker", "ps", "-aq", "--no-trunc"));
        command.add("--filter=label=" + LABEL + "project=" + environment.get("COMPOSE_PROJECT_NAME"));
        if (!filter.isEmpty()) {
            command.add(filter);
        }
        return Command.run(Map.of(), SOON, command).lines().toList();
    }

    private String compose(Duration limit, String... arguments) {
        return Command.run(environment, limit, with(List.of(arguments)));
    }

    private List<String> with(List<String> arguments) {
        List<String> full = new ArrayList<>(compose);
        full.addAll(arguments);
        return full;
    }

    @Override
    public void close() {
        try {
            compose(SOON, "down", "--volumes", "--remove-orphans", "--timeout", "3");
        } finally {
            removePins();
        }
    }

    /** An agent that was killed leaves them; one that ended has removed them itself. */
    static void removePins() {
        Command.result(Map.of(), SOON, List.of("rm", "-rf", Engine.PINS));
    }
}

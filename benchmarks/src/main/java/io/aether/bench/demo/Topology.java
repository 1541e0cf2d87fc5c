// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which processes there are and where they listen: services that a fault hits run three instances, those that call
 * them one each; the rest share a process, and the leaf kinds (caches, databases, external systems, the queue) share two.
 * Every process more costs all requests: two cores that switch among dozens of JVMs run with cold caches.
 */
public record Topology(List<Node> nodes) {

    public static final int FIRST_PORT = 18_000;
    public static final String LOOPBACK = "127.0.0.1";

    /** Those that call services which a fault hits: how they pick is what the demo shows, each by its own lights. */
    private static final List<String> CALLERS = List.of("checkout", "cart", "pricing", "inventory", "fraud");

    private static final List<String> OTHERS =
            List.of("auth", "profile", "payment", "order", "notify", "recommend", "analytics", "promo", "fx", "ledger");
    private static final List<String> LEAVES = List.of("cache", "db", "carrier", "tax-office", "psp", "outbox");
    private static final int LEAF_PROCESSES = 2;

    /**
     * One process.
     *
     * @param name unique, such as {@code catalog-1}
     * @param services what it serves
     * @param host address it binds and is reached at
     * @param port port it listens on
     */
    public record Node(String name, List<String> services, String host, int port) {

        public Node {
            services = List.copyOf(services);
        }

        public String url(String path) {
            return "http://" + host + ":" + port + path;
        }
    }

    public Topology {
        nodes = List.copyOf(nodes);
    }

    /**
     * @param hosts addresses of nodes that do not listen on loopback, by name
     */
    static Topology of(Map<String, String> hosts) {
        List<Node> nodes = new ArrayList<>();
        for (Fault fault : Fault.values()) {
            for (int i = 1; i <= Fault.REPLICAS; i++) {
                add(nodes, fault.service() + "-" + i, List.of(fault.service()), hosts);
            }
        }
        CALLERS.forEach(service -> add(nodes, service + "-1", List.of(service), hosts));
        add(nodes, "others-1", OTHERS, hosts);
        for (int i = 1; i <= LEAF_PROCESSES; i++) {
            add(nodes, "leaf-" + i, LEAVES, hosts);
        }
        return new Topology(nodes);
    }

    private static void add(List<Node> nodes, String name, List<String> services, Map<String, String> hosts) {
        nodes.add(new Node(name, services, hosts.getOrDefault(name, LOOPBACK), FIRST_PORT + nodes.size()));
    }

    public List<Node> instances(String service) {
        return nodes.stream().filter(node -> node.services().contains(service)).toList();
    }

    /** Every service, each once. */
    List<String> services() {
        return nodes.stream()
                .flatMap(node -> node.services().stream())
                .distinct()
                .toList();
    }

    Node node(String name) {
        return nodes.stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no process named " + name));
    }

    /** Spring's simple discovery: every service with all its instances. */
    Map<String, String> discovery() {
        Map<String, String> properties = new LinkedHashMap<>();
        for (Node node : nodes) {
            for (String service : node.services()) {
                String prefix = "spring.cloud.discovery.client.simple.instances." + service + "["
                        + instances(service).indexOf(node) + "].";
                properties.put(prefix + "uri", node.url(""));
                properties.put(prefix + "instance-id", node.name());
            }
        }
        return properties;
    }

    /** Writes {@link #discovery()} as a properties file. */
    public Path write(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        return Files.write(
                file,
                discovery().entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .toList());
    }
}

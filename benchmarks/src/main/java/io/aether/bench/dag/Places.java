// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.dag;

import io.aether.bench.demo.Topology;
import io.aether.bench.demo.Topology.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Which processes there are: all 45 calls of a checkout, in as few processes as keep apart who calls, who is overloaded, and who has
 * nothing to do with it. Two cores would be saturated by one for each service.
 */
final class Places {

    static final Node GATEWAY = new Node("gateway", List.of(), Topology.LOOPBACK, 8080);

    /** The one that has workers of its own, and too few. */
    static final String SLOW = "shard";

    /** Four workers of 80 ms: 50 calls a second, or 12.5 requests to the inventory. Ten times the mean is its objective. */
    private static final List<String> FEW_WORKERS =
            List.of("--sample.workers=4", "--sample.slower=40", "--aether.server.objective=800ms");

    /** Nobody waits longer: what comes later does not count. */
    private static final String DEADLINE = Math.round(Flow.OBJECTIVE_MILLIS) + "ms";

    private static final List<List<String>> PROCESSES = List.of(
            List.of("checkout"),
            List.of("inventory"),
            List.of(SLOW),
            List.of("cart"),
            List.of("catalog"),
            List.of("auth", "profile", "pricing", "promo", "tax", "fx"),
            List.of("shipping", "fraud", "model", "payment", "ledger", "order", "notify", "recommend", "analytics"),
            List.of("cache", "db", "carrier", "tax-office", "psp", "outbox"));

    private Places() {}

    /** The services' processes; named after what they serve first. */
    static Topology topology() {
        List<Node> nodes = new ArrayList<>();
        for (List<String> services : PROCESSES) {
            nodes.add(
                    new Node(services.get(0) + "-1", services, Topology.LOOPBACK, Topology.FIRST_PORT + nodes.size()));
        }
        return new Topology(nodes);
    }

    /** What a process is told beside where it is. */
    static List<String> arguments(Node node) {
        if (node.equals(GATEWAY)) {
            return List.of("--aether.server.user.header=" + Traffic.USER);
        }
        String services = "--sample.services=" + String.join(",", node.services());
        List<String> arguments = new ArrayList<>(List.of(services));
        if (node.services().contains(SLOW)) {
            arguments.addAll(FEW_WORKERS);
        }
        return arguments;
    }

    /** Writes the gateway's routes, one for each flow, and returns their file. */
    static Path writeRoutes(Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        int index = 0;
        for (Flow flow : Flow.values()) {
            String route = "spring.cloud.gateway.server.webflux.routes[" + index++ + "].";
            lines.add(route + "id=" + flow.label());
            lines.add(route + "uri=lb://" + flow.service());
            lines.add(route + "predicates[0]=Path=" + flow.path());
            lines.add(route + "filters[0]=SetPath=/" + flow.service());
            lines.add(route + "metadata.aether-priority=" + flow.priority());
            lines.add(route + "metadata.aether-deadline=" + DEADLINE);
        }
        return Files.write(file, lines);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.sample;

import io.aether.sample.Service.Stage;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The checkout graph as data: a checkout is 45 calls, the gateway's own call to {@code checkout} included. 26 go to
 * services, 8 to databases, 6 to caches, 4 to external systems and 1 to a queue.
 */
public final class Graph {

    /** The service that the gateway calls. */
    public static final String ROOT = "checkout";

    private static final ServiceTime WORK = ServiceTime.of(2, 1);
    private static final ServiceTime CACHE = ServiceTime.of(0.4, 0.5);
    private static final ServiceTime DB = ServiceTime.of(1, 2);
    private static final ServiceTime MODEL = ServiceTime.of(8, 1);
    private static final ServiceTime EXTERNAL = ServiceTime.of(6, 0.7);
    private static final ServiceTime PSP = ServiceTime.of(15, 0.7).slower(0.01, 10);

    private static final Map<String, Service> SERVICES = index(
            service(
                    ROOT,
                    stage("auth", "cart", "profile"),
                    stage("pricing", "inventory", "shipping", "fraud"),
                    stage("payment"),
                    stage("order"),
                    optional("notify", "recommend", "analytics")),
            service("auth", stage("cache")),
            service("cart", stage("cache"), stage("db"), stage("catalog", "catalog", "catalog")),
            service("profile", stage("cache"), stage("db")),
            service("pricing", stage("promo", "tax", "catalog", "fx")),
            service("promo", stage("cache"), stage("db")),
            service("tax", stage("tax-office")),
            service("inventory", stage("shard", "shard", "shard", "shard")),
            service("shard", stage("db")),
            service("shipping", stage("carrier", "carrier")),
            service("fraud", stage("cache", "cache"), stage("model")),
            service("payment", stage("psp"), stage("ledger")),
            service("order", stage("db"), stage("outbox")),
            service("notify"),
            service("recommend"),
            service("analytics"),
            service("fx"),
            service("ledger"),
            leaf("catalog", WORK, 4_000),
            leaf("model", MODEL, 8_000),
            leaf("cache", CACHE, 1_000),
            leaf("db", DB, 1_000),
            leaf("carrier", EXTERNAL, 600),
            leaf("tax-office", EXTERNAL, 300),
            leaf("psp", PSP, 300),
            leaf("outbox", WORK, 50));

    private Graph() {}

    /** All services by id, the root first. */
    public static Map<String, Service> services() {
        return SERVICES;
    }

    /** Calls that one request to {@code id} causes, itself included: 45 for the root. */
    public static int calls(String id) {
        Service service = SERVICES.get(id);
        if (service == null) {
            throw new IllegalArgumentException("no service '" + id + "' in the graph; there are " + SERVICES.keySet());
        }
        return 1
                + service.stages().stream()
                        .flatMap(stage -> stage.calls().stream())
                        .mapToInt(Graph::calls)
                        .sum();
    }

    /** Whom these services call, each once. */
    public static List<String> calledBy(List<String> ids) {
        return SERVICES.values().stream()
                .filter(service -> ids.contains(service.id()))
                .flatMap(service -> service.stages().stream())
                .flatMap(stage -> stage.calls().stream())
                .distinct()
                .toList();
    }

    private static Service service(String id, Stage... stages) {
        return new Service(id, WORK, 300, List.of(stages));
    }

    private static Service leaf(String id, ServiceTime time, int bytes) {
        return new Service(id, time, bytes, List.of());
    }

    private static Stage stage(String... calls) {
        return new Stage(List.of(calls), false);
    }

    private static Stage optional(String... calls) {
        return new Stage(List.of(calls), true);
    }

    private static Map<String, Service> index(Service... services) {
        Map<String, Service> byId = new LinkedHashMap<>();
        Arrays.stream(services).forEach(service -> byId.put(service.id(), service));
        return Collections.unmodifiableMap(byId);
    }
}

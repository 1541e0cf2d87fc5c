// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.dag;

import java.util.List;

/**
 * One kind of request that comes to the gateway, at a rate of its own. Checkouts and the stock reports of analytics both end at the
 * shards of the inventory, the only ones that can do no more than so much; the others touch none of it.
 */
enum Flow {
    /** The whole graph. */
    CHECKOUT("checkout", "checkout", "critical", 45, 5, 5, true),
    /** Analytics in the background: the job that brings the inventory to twice what it can serve. */
    STOCK("analytics-stock", "inventory", "bulk", 9, 2.5, 20, true),
    CART("cart", "cart", "degraded", 6, 5, 5, false),
    PROFILE("profile", "profile", "degraded", 3, 5, 5, false),
    /** Analytics as well, of the same priority, where there is room. */
    CATALOG("analytics-catalog", "catalog", "bulk", 1, 5, 5, false);

    /** Requests a second that the inventory can serve: four shard calls each, of 80 ms on four workers. */
    static final double CAPACITY = 12.5;

    /** Longest time from the intended start after which an answer still counts. */
    static final double OBJECTIVE_MILLIS = 1500;

    private final String label;
    private final String service;
    private final String priority;
    private final int calls;
    private final double calm;
    private final double overload;
    private final boolean touches;

    Flow(String label, String service, String priority, int calls, double calm, double overload, boolean touches) {
        this.label = label;
        this.service = service;
        this.priority = priority;
        this.calls = calls;
        this.calm = calm;
        this.overload = overload;
        this.touches = touches;
    }

    /** Name in tables, reports and rows. */
    String label() {
        return label;
    }

    /** Path at the gateway. */
    String path() {
        return "/" + label;
    }

    /** The service that the gateway calls for it. */
    String service() {
        return service;
    }

    /** As in the metadata of the gateway's route. */
    String priority() {
        return priority;
    }

    /** Calls that one that succeeds makes, the gateway's own included. */
    int calls() {
        return calls;
    }

    /** Requests a second. */
    double rate(boolean overloaded) {
        return overloaded ? overload : calm;
    }

    /** Whether it needs what is overloaded. */
    boolean touches() {
        return touches;
    }

    /** Those that need nothing of what is overloaded. */
    static List<Flow> innocent() {
        return List.of(CART, PROFILE, CATALOG);
    }
}

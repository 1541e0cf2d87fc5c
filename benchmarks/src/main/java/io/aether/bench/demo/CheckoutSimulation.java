// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;

/** Gatling's open model: one user a checkout, at a constant rate whatever the answers do, over shared connections. */
public final class CheckoutSimulation extends Simulation {

    static final String URL = "demo.url";
    static final String RATE = "demo.rate";
    static final String SECONDS = "demo.seconds";
    /** Checkouts before the first block, and in each block. */
    static final String BEFORE = "demo.before";

    static final String BLOCK = "demo.block";

    /** Names the service times of a checkout and of all its calls: the n-th of every block takes the same. */
    private static final String DRAW = "x-draw";

    private static final String SENT = "sent";

    public CheckoutSimulation() {
        setUp(scenario("checkout")
                        .exec(session -> session.set(SENT, System.nanoTime()))
                        .exec(http("checkout")
                                .get("/checkout")
                                .header(DRAW, CheckoutSimulation::draw)
                                .check(status().is(200)))
                        .exec(CheckoutSimulation::report)
                        .injectOpen(constantUsersPerSec(Double.parseDouble(System.getProperty(RATE)))
                                .during(Duration.ofSeconds(Long.getLong(SECONDS)))))
                .protocols(
                        http.baseUrl(System.getProperty(URL)).shareConnections().disableCaching());
    }

    private static String draw(Session session) {
        long index = session.userId() - 1;
        return Long.toString(Math.floorMod(index - Long.getLong(BEFORE), Long.getLong(BLOCK)));
    }

    /** Users are numbered from 1 in the order of their arrival. */
    private static Session report(Session session) {
        long sent = session.getLong(SENT);
        System.out.println(new Checkout(session.userId() - 1, sent, System.nanoTime(), !session.isFailed()).line());
        return session;
    }
}

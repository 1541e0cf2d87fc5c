// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim;

import java.time.Duration;

/**
 * The standing part of a scenario; what happens in it is its script. Mutable, made anew for every run.
 *
 * <p>Defaults: servers of four workers with 10 ms of lognormal work (coefficient of variation 1), a network of 0.1 to 0.2 ms
 * each way, clients on machines of their own in groups of four, requests given up after 5 s.
 */
final class Plan {
    int servers = 4;
    int workers = 4;
    double meanMillis = 10;
    double variation = 1;
    int clients = 4;
    int clientsPerNode = 4;
    /** Requests a second of all clients. */
    double rate = 100;
    /** Requests that a client sends at once. */
    int burst = 1;
    /** Servers listed at the start; 0 for all. */
    int listed;
    /** Clients and servers share one machine and its kernel. */
    boolean together;
    /** Share of the work that needs the machine's shared processors; 0 when each server has its own. */
    double processorShare;

    int processors = 2;
    Duration timeout = Duration.ofSeconds(5);
    /** Zones of servers and clients, both numbered round-robin; 1 for a single zone. */
    int zones = 1;
    /** All clients are in the first zone, and servers in blocks of so many, the last zone first; 0 for round-robin. */
    int zoneSize;

    /** Extra way between zones. */
    long crossZoneNanos = Agenda.MILLI;

    Plan fleet(int count, int ofClients) {
        servers = count;
        clients = ofClients;
        return this;
    }

    Plan work(int perServer, double millis, double cv) {
        workers = perServer;
        meanMillis = millis;
        variation = cv;
        return this;
    }

    /** A rate that keeps this share of all workers busy. */
    Plan load(double share) {
        rate = share * servers * workers / meanMillis * 1000;
        return this;
    }

    Plan rate(double perSecond) {
        rate = perSecond;
        return this;
    }

    /** Whether a server is in another zone than a client. */
    boolean apart(int client, int server) {
        return zoneSize == 0 ? client % zones != server % zones : server / zoneSize != zones - 1;
    }
}

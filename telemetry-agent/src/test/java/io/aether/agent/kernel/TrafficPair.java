// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

/** A server that publishes its queue and a client, at the ends of a cable and in a cgroup of their own. */
record TrafficPair(Cgroup cgroup, Traffic server, Traffic client) implements AutoCloseable {

    static TrafficPair between(Cable cable) {
        Cgroup cgroup = new Cgroup(Area.directory().getParent());
        Traffic server = Traffic.publishing(cable.server());
        Traffic client = new Traffic(cable.client());
        cgroup.add(server.pid());
        cgroup.add(client.pid());
        return new TrafficPair(cgroup, server, client);
    }

    @Override
    public void close() {
        client.close();
        server.close();
        cgroup.close();
    }
}

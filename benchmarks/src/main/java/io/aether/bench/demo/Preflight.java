// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import io.aether.bench.PrerequisiteException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** What must hold before anything is started; every failure names the thing and the fix. */
public final class Preflight {

    private Preflight() {}

    static void checkPorts(Topology topology, boolean agent, boolean page) throws PrerequisiteException {
        checkFree(Cluster.GATEWAY_PORT, "the gateway");
        if (page) {
            checkFree(LiveServer.PORT, "the live page");
        }
        if (agent) {
            checkFree(Agent.PORT, "the agent");
        }
        for (Topology.Node node : topology.nodes()) {
            if (node.host().equals(Topology.LOOPBACK)) {
                checkFree(node.port(), node.name());
            }
        }
    }

    public static void checkFree(int port, String user) throws PrerequisiteException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            throw new PrerequisiteException(
                    "port %d, which %s needs, is taken: find its owner with \"ss -ltnp 'sport = :%d'\" and end it"
                            .formatted(port, user, port));
        }
    }

    public static void checkTools(List<String> tools) throws PrerequisiteException {
        List<String> path = List.of(System.getenv().getOrDefault("PATH", "").split(":", -1));
        for (String tool : tools) {
            boolean found = path.stream().anyMatch(directory -> Files.isExecutable(Path.of(directory, tool)))
                    || Arrays.asList("/sbin", "/usr/sbin").stream()
                            .anyMatch(directory -> Files.isExecutable(Path.of(directory, tool)));
            if (!found) {
                throw new PrerequisiteException(
                        tool + " is missing: apt-get install iproute2 util-linux procps, or pass --no-kernel");
            }
        }
    }
}

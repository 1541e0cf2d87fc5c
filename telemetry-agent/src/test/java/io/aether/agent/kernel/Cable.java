// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

/**
 * A client's and a server's namespace with a switch between them, so that a queue can build up where neither end's
 * socket accounting sees it. The client is 10.77.0.1 and fd77::1, the server 10.77.0.2 and fd77::2.
 */
final class Cable implements AutoCloseable {
    static final String SERVER = "10.77.0.2";
    static final String SERVER6 = "fd77::2";

    private final Namespace client = new Namespace();
    private final Namespace server = new Namespace();
    private final Namespace middle = new Namespace();

    Cable() {
        try {
            middle.ip("link", "add", "br0", "type", "bridge");
            middle.ip("link", "set", "br0", "up");
            connect(client, "c", "10.77.0.1/24", "fd77::1/64");
            connect(server, "s", SERVER + "/24", SERVER6 + "/64");
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void connect(Namespace end, String port, String v4, String v6) {
        // It fills whatever queue there is; others, such as bbr, keep it short on purpose.
        Shell.run(
                "ip", "netns", "exec", end.name(), "sh", "-c", "echo reno > /proc/sys/net/ipv4/tcp_congestion_control");
        end.ip("link", "add", "eth0", "type", "veth", "peer", "name", port, "netns", middle.name());
        end.ip("addr", "add", v4, "dev", "eth0");
        end.ip("addr", "add", v6, "dev", "eth0", "nodad");
        end.ip("link", "set", "eth0", "up");
        middle.ip("link", "set", port, "master", "br0", "up");
    }

    Namespace client() {
        return client;
    }

    Namespace server() {
        return server;
    }

    /** The switch between the two: ports {@code c} and {@code s}. */
    Namespace middle() {
        return middle;
    }

    /** Squeezes the way to the server: a token bucket of this rate with a queue of {@code limit} bytes. */
    void squeeze(String rate, int limit) {
        squeeze("s", rate, limit);
    }

    /** The same for the way to the client. */
    void squeezeToClient(String rate, int limit) {
        squeeze("c", rate, limit);
    }

    private void squeeze(String port, String rate, int limit) {
        Shell.run(
                "tc",
                "-n",
                middle.name(),
                "qdisc",
                "replace",
                "dev",
                port,
                "root",
                "tbf",
                "rate",
                rate,
                "burst",
                "5000",
                "limit",
                Integer.toString(limit));
    }

    @Override
    public void close() {
        client.close();
        server.close();
        middle.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import io.aether.bench.Host;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A network namespace with one virtual cable to the host, which can be squeezed. All servers outside stay where they
 * are; the one inside is reached at {@link #address()}.
 */
public final class NetworkNamespace implements AutoCloseable {

    /** Where the system keeps them by name. */
    static final Path PLACE = Path.of("/run/netns");

    private final String name;
    private final String hostSide;
    private final String address;

    private NetworkNamespace(String name, String hostSide, String address) {
        this.name = name;
        this.hostSide = hostSide;
        this.address = address;
    }

    /**
     * Makes the namespace.
     *
     * @param id distinguishes this demo from another, such as its pid
     */
    public static NetworkNamespace create(long id) throws IOException {
        NetworkNamespace namespace = of(id);
        try {
            namespace.build(subnet(id) + "1");
        } catch (IOException e) {
            namespace.close();
            throw e;
        }
        return namespace;
    }

    /** The one of that demo, to be removed. */
    static NetworkNamespace of(long id) {
        return new NetworkNamespace(Leftovers.PREFIX + id, "aeh" + id, subnet(id) + "2");
    }

    private static String subnet(long id) {
        return "10.231." + (id % 250 + 1) + ".";
    }

    private void build(String hostAddress) throws IOException {
        Host.run("ip", "netns", "add", name);
        Host.run("ip", "link", "add", hostSide, "type", "veth", "peer", "name", "eth0", "netns", name);
        Host.run("ip", "addr", "add", hostAddress + "/30", "dev", hostSide);
        Host.run("ip", "link", "set", hostSide, "up");
        Host.run("ip", "-n", name, "addr", "add", address + "/30", "dev", "eth0");
        Host.run("ip", "-n", name, "link", "set", "eth0", "up");
        Host.run("ip", "-n", name, "link", "set", "lo", "up");
    }

    /** Of whoever listens inside. */
    public String address() {
        return address;
    }

    /** Path that {@code nsenter --net=} takes. */
    String path() {
        return PLACE.resolve(name).toString();
    }

    /** Lets what leaves the namespace pass at 256 kbit/s through a buffer of two packets; the rest is lost. */
    public void squeeze() throws IOException {
        Host.run(
                "tc", "-n", name, "qdisc", "replace", "dev", "eth0", "root", "tbf", "rate", "256kbit", "burst", "1600",
                "limit", "3200");
    }

    /** Ends that. */
    public void release() throws IOException {
        Host.run("tc", "-n", name, "qdisc", "del", "dev", "eth0", "root");
    }

    /** Removes the namespace and, with it, both ends of the cable. */
    @Override
    public void close() throws IOException {
        Host.run("sh", "-c", "ip link del " + hostSide + " 2>/dev/null; ip netns del " + name + " 2>/dev/null; true");
    }
}

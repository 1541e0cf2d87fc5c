// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A network namespace joined to the test's by a pair of virtual interfaces. IPv4 10.83.n.1 is outside, .2 inside; IPv6
 * fd83:n::1 and ::2.
 */
public final class TestNamespace implements AutoCloseable {
    private static final AtomicInteger NUMBER =
            new AtomicInteger((int) (ProcessHandle.current().pid() % 200));

    private final String name;
    private final String outside;
    private final String inside;
    private final int number;

    private TestNamespace(int number) {
        this.number = number;
        this.name = "aether-test-" + ProcessHandle.current().pid() + "-" + number;
        this.outside = "aeo" + number;
        this.inside = "aei" + number;
    }

    public static TestNamespace create() throws IOException, InterruptedException {
        TestNamespace namespace = new TestNamespace(NUMBER.incrementAndGet());
        try {
            namespace.build();
        } catch (IOException | InterruptedException e) {
            namespace.close();
            throw e;
        }
        return namespace;
    }

    private void build() throws IOException, InterruptedException {
        KernelTests.run("ip", "netns", "add", name);
        KernelTests.run("ip", "link", "add", outside, "type", "veth", "peer", "name", inside, "netns", name);
        KernelTests.run("ip", "address", "add", "10.83." + number + ".1/24", "dev", outside);
        KernelTests.run("ip", "-6", "address", "add", "fd83:" + number + "::1/64", "dev", outside, "nodad");
        KernelTests.run("ip", "link", "set", outside, "up");
        ip("address", "add", "10.83." + number + ".2/24", "dev", inside);
        ip("-6", "address", "add", "fd83:" + number + "::2/64", "dev", inside, "nodad");
        ip("link", "set", inside, "up");
        ip("link", "set", "lo", "up");
    }

    private void ip(String... arguments) throws IOException, InterruptedException {
        String[] command = new String[arguments.length + 3];
        command[0] = "ip";
        command[1] = "-n";
        command[2] = name;
        System.arraycopy(arguments, 0, command, 3, arguments.length);
        KernelTests.run(command);
    }

    /** Address of the namespace's end. */
    public String address() {
        return "10.83." + number + ".2";
    }

    public String address6() {
        return "fd83:" + number + "::2";
    }

    /** Put before a command, runs it inside. */
    public String[] prefix() {
        return new String[] {"ip", "netns", "exec", name};
    }

    public long inode() throws IOException {
        return ((Number) Files.getAttribute(Path.of("/run/netns/" + name), "unix:ino")).longValue();
    }

    /** Limits both directions to this rate with a queue of so many bytes: what does not fit is lost. */
    public void squeeze(String rate, int queueBytes) throws IOException, InterruptedException {
        String limit = Integer.toString(queueBytes);
        relax();
        KernelTests.run(
                "tc", "qdisc", "add", "dev", outside, "root", "tbf", "rate", rate, "burst", "3000", "limit", limit);
        KernelTests.run(
                "tc", "-n", name, "qdisc", "add", "dev", inside, "root", "tbf", "rate", rate, "burst", "3000", "limit",
                limit);
    }

    /** Takes the limits away. */
    public void relax() throws InterruptedException {
        try {
            KernelTests.run("tc", "qdisc", "del", "dev", outside, "root");
            KernelTests.run("tc", "-n", name, "qdisc", "del", "dev", inside, "root");
        } catch (IOException e) {
            // There were none.
        }
    }

    @Override
    public void close() {
        try {
            // The pair goes with the namespace, but later; now is better for the next test.
            if (Files.exists(Path.of("/sys/class/net/" + outside))) {
                KernelTests.run("ip", "link", "del", outside);
            }
            if (Files.exists(Path.of("/run/netns/" + name))) {
                KernelTests.run("ip", "netns", "del", name);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

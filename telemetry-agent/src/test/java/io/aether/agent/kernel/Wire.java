// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A virtual cable from a namespace of its own to this process, and a server at this end that accepts whoever reaches it.
 * The namespace has several addresses, 10.86.n.2 to 10.86.n.5 and fd86:n::2 to fd86:n::5; this end is number 1.
 */
final class Wire implements AutoCloseable {
    private static final AtomicInteger COUNT =
            new AtomicInteger((int) (ProcessHandle.current().pid() % 200));
    private static final int LAST = 5;
    private static final Path WORK = Path.of("..", "bpf", "target", "work").toAbsolutePath();

    private final int number = COUNT.incrementAndGet();
    private final Namespace far = new Namespace();
    private final ServerSocket server;

    Wire() {
        try {
            plug();
            server = new ServerSocket();
            server.bind(new InetSocketAddress(0));
        } catch (IOException e) {
            far.close();
            throw new IllegalStateException(e);
        } catch (RuntimeException e) {
            far.close();
            throw e;
        }
        Thread acceptor = new Thread(this::accept, "wire");
        acceptor.setDaemon(true);
        acceptor.start();
    }

    /** Joins both ends; again after {@link #unplug}. */
    void plug() {
        Shell.run("ip", "link", "add", "name", device(), "type", "veth", "peer", "name", "eth0", "netns", far.name());
        Shell.run("ip", "addr", "add", here() + "/24", "dev", device());
        Shell.run("ip", "addr", "add", here6() + "/64", "dev", device(), "nodad");
        Shell.run("ip", "link", "set", "dev", device(), "up");
        for (int i = 2; i <= LAST; i++) {
            far.ip("addr", "add", there(i) + "/24", "dev", "eth0");
            far.ip("addr", "add", there6(i) + "/64", "dev", "eth0", "nodad");
        }
        far.ip("link", "set", "dev", "eth0", "up");
    }

    void unplug() {
        far.ip("link", "del", "dev", "eth0");
    }

    private void accept() {
        try {
            while (true) {
                server.accept().close();
            }
        } catch (IOException closed) {
            // The wire was closed.
        }
    }

    /** The interface at this end. */
    String device() {
        return "aegd" + number;
    }

    Namespace far() {
        return far;
    }

    int port() {
        return server.getLocalPort();
    }

    String here() {
        return "10.86." + number + ".1";
    }

    String here6() {
        return "fd86:" + number + "::1";
    }

    /** One of the other end's addresses, 2 to 5. */
    String there(int i) {
        return "10.86." + number + "." + i;
    }

    String there6(int i) {
        return "fd86:" + number + "::" + i;
    }

    /** Makes connections come from this address of the other end from now on. */
    void from(int i) {
        far.ip("route", "replace", here() + "/32", "dev", "eth0", "src", there(i));
        far.ip("-6", "route", "replace", here6() + "/128", "dev", "eth0", "src", there6(i));
    }

    /** Whether a new connection from the other end comes about within a second. */
    boolean reaches(String address, int port) {
        return bash(1, "exec 3<>/dev/tcp/" + address + "/" + port) == 0;
    }

    boolean reaches() {
        return reaches(here(), port());
    }

    boolean reaches6() {
        return reaches(here6(), port());
    }

    /** Sends one datagram of so many bytes from the other end. */
    void datagram(String address, int bytes) {
        bash(5, "head -c " + bytes + " /dev/zero > /dev/udp/" + address + "/9");
    }

    private int bash(int seconds, String script) {
        List<String> command = far.inside(List.of("timeout", Integer.toString(seconds), "bash", "-c", script));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(seconds + 5L, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            return process.exitValue();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Asks for connections from consecutive addresses, so many a second; returns how many were asked for. */
    long flood(String source, int count, int rate, int seconds) {
        List<String> command = new ArrayList<>(List.of(WORK.resolve("flood").toString(), "syn", "eth0", mac()));
        command.addAll(Stream.of(here(), port(), source, count, rate, seconds)
                .map(String::valueOf)
                .toList());
        return Long.parseLong(
                Shell.run(far.inside(command).toArray(String[]::new)).strip());
    }

    private String mac() {
        try {
            return Files.readString(Path.of("/sys/class/net", device(), "address"))
                    .strip();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A program of somebody else's: any XDP object will do. */
    static String foreignObject() {
        return WORK.resolve("flood.bpf.o").toString();
    }

    /** A program that lets everything pass. */
    static String passingObject() {
        return WORK.resolve("pass.bpf.o").toString();
    }

    /** What {@code ip link} says of the interface at this end. */
    String description() {
        return Shell.run("ip", "-d", "link", "show", "dev", device());
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } finally {
            far.close(); // and with it both ends of the cable
        }
    }
}

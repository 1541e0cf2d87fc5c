// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@link TestPeer} in a process of its own, inside a cgroup and optionally a network namespace. */
public final class TestProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;
    private final PrintStream in;

    private TestProcess(Process process) {
        this.process = process;
        this.out = process.inputReader();
        this.in = new PrintStream(process.getOutputStream(), true);
    }

    /** An echo server; its port is {@link #port}. */
    public static Server server(TestCgroup cgroup, String address, String... prefix) throws IOException {
        TestProcess process = start(cgroup, prefix, "server", address);
        return new Server(process, Integer.parseInt(process.line()));
    }

    /** A connected client. */
    public static TestProcess client(TestCgroup cgroup, String address, int port, String... prefix) throws IOException {
        TestProcess process = start(cgroup, prefix, "client", address, Integer.toString(port));
        process.line();
        return process;
    }

    private static TestProcess start(TestCgroup cgroup, String[] prefix, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(prefix));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx32m", "-cp"));
        command.add(Path.of("target", "test-classes").toAbsolutePath().toString());
        command.add(TestPeer.class.getName());
        command.addAll(List.of(arguments));
        TestProcess process = new TestProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
        try {
            cgroup.add(process.pid());
        } catch (IOException e) {
            process.close();
            throw e;
        }
        process.in.println("go");
        return process;
    }

    public long pid() {
        return process.pid();
    }

    /** Sends so many bytes and waits for their echo. */
    public void exchange(int bytes) throws IOException {
        in.println(bytes);
        line();
    }

    /** Sends so many bytes. */
    public void send(int bytes) throws IOException {
        in.println("send " + bytes);
        line();
    }

    /** Stops it as a frozen process is stopped. */
    public void freeze() throws IOException, InterruptedException {
        KernelTests.run("kill", "-STOP", Long.toString(pid()));
    }

    public void thaw() throws IOException, InterruptedException {
        KernelTests.run("kill", "-CONT", Long.toString(pid()));
    }

    private String line() throws IOException {
        String line = out.readLine();
        if (line == null) {
            throw new IOException("the process " + process.info().commandLine().orElse("") + " ended");
        }
        return line;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A server and where it listens. */
    public record Server(TestProcess process, int port) implements AutoCloseable {
        @Override
        public void close() {
            process.close();
        }
    }
}

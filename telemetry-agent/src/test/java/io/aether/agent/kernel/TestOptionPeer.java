// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A TCP peer whose options are made by hand (bpf/test/option_peer.c), behind a device of its own: 10.84.n.2, reachable
 * from here. It accepts on any port and echoes.
 */
public final class TestOptionPeer implements AutoCloseable {
    private static final AtomicInteger NUMBER =
            new AtomicInteger((int) (ProcessHandle.current().pid() % 200));

    private final Process process;
    private final BufferedReader out;
    private final PrintStream in;
    private final int number;

    private TestOptionPeer(Process process, int number) {
        this.process = process;
        this.number = number;
        this.out = process.inputReader();
        this.in = new PrintStream(process.getOutputStream(), true);
    }

    /** Starts one that says nothing yet. */
    public static TestOptionPeer start() throws IOException, InterruptedException {
        int number = NUMBER.incrementAndGet();
        String device = "aet" + number;
        Path program = Path.of("..", "bpf", "target", "work", "option_peer").toAbsolutePath();
        Process process = new ProcessBuilder(program.toString(), device)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        TestOptionPeer peer = new TestOptionPeer(process, number);
        try {
            peer.line();
            KernelTests.run("ip", "address", "add", "10.84." + number + ".1/24", "dev", device);
            KernelTests.run("ip", "link", "set", device, "up");
        } catch (IOException | InterruptedException e) {
            peer.close();
            throw e;
        }
        return peer;
    }

    public String address() {
        return "10.84." + number + ".2";
    }

    /** Puts these option bytes, in hexadecimal and a multiple of four, into each segment from now on. */
    public void say(String hex) throws IOException {
        in.println("say " + hex);
        line();
    }

    /** Ignores the next segment that comes. */
    public void lose() throws IOException {
        in.println("lose");
        line();
    }

    /** Segments that came with an experimental option: SYNs, and all others. */
    public long[] count() throws IOException {
        in.println("count");
        String[] counts = line().split(" ");
        return new long[] {Long.parseLong(counts[0]), Long.parseLong(counts[1])};
    }

    private String line() throws IOException {
        String line = out.readLine();
        if (line == null) {
            throw new IOException("the peer ended");
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
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A TCP peer whose options are made by hand (bpf/test/option_peer.c), behind a device of its own in a namespace, from where
 * it is reached. It accepts on any port and echoes.
 */
final class OptionPeer implements AutoCloseable {
    static final String ADDRESS = "10.84.0.2";
    private static final String DEVICE = "aet0";
    private static final Path PROGRAM =
            Path.of("..", "bpf", "target", "work", "option_peer").toAbsolutePath();

    private final Process process;
    private final BufferedReader out;
    private final PrintStream in;

    /** Starts one that says nothing yet. */
    OptionPeer(Namespace namespace) throws IOException {
        process = new ProcessBuilder(namespace.inside(List.of(PROGRAM.toString(), DEVICE)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        out = process.inputReader();
        in = new PrintStream(process.getOutputStream(), true);
        try {
            line();
            namespace.ip("address", "add", "10.84.0.1/24", "dev", DEVICE);
            namespace.ip("link", "set", DEVICE, "up");
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Puts these option bytes, in hexadecimal and a multiple of four, into each segment from now on. */
    void say(String hex) throws IOException {
        in.println("say " + hex);
        line();
    }

    /** Ignores the next segment that comes. */
    void lose() throws IOException {
        in.println("lose");
        line();
    }

    /** Segments that came with an experimental option: SYNs, and all others. */
    long[] count() throws IOException {
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

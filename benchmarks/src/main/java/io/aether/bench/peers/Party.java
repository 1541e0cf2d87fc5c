// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.aether.bench.demo.Images;
import io.aether.bench.demo.Launcher;
import io.aether.bench.peers.client.ClientMain;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** The clients of a policy as a process, in a cgroup of its own. Not thread-safe. */
final class Party {
    private final Process process;
    private final BufferedReader from;
    private final Path log;

    private Party(Process process, Path log) {
        this.process = process;
        this.from = process.inputReader(US_ASCII);
        this.log = log;
    }

    /** @param servers that its clients see: of a proxy that one alone */
    static Party start(Policy policy, List<InetSocketAddress> servers, Path table, Launcher launcher)
            throws IOException {
        String list = servers.stream()
                .map(server -> server.getHostString() + ":" + server.getPort())
                .collect(Collectors.joining(","));
        String name = "clients-" + policy.label();
        Process process = launcher.converse(
                name,
                name,
                List.of(
                        Images.java(),
                        "-XX:+UseSerialGC",
                        // Done with compiling after seconds, where the other compiler takes minutes of what all share.
                        "-XX:TieredStopAtLevel=1",
                        "-XX:-UsePerfData",
                        "-Xmx256m",
                        // Where else is tried is not for the client to decide.
                        "-Djdk.httpclient.disableRetryConnect=true",
                        "-Dlogback.configurationFile=io/aether/bench/overload/logback.xml",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ClientMain.class.getName(),
                        policy.label(),
                        list,
                        table.toString()));
        return new Party(process, launcher.log(name));
    }

    /** Waits until it can play. */
    void await() throws IOException {
        expect("ready");
    }

    /** Begins a block and returns when the part that counts begins. */
    void begin(Block block) throws IOException {
        Writer to = process.outputWriter(US_ASCII);
        to.write(block.line() + "\n");
        to.flush();
        expect("settled");
    }

    /** Waits for the end of the block. */
    Samples finish() throws IOException {
        return Samples.parse(line());
    }

    void end() {
        Launcher.end(process, true);
    }

    private void expect(String word) throws IOException {
        String line = line();
        if (!line.equals(word)) {
            throw new IOException("clients said '" + line + "' instead of '" + word + "'; see " + log);
        }
    }

    private String line() throws IOException {
        String line = from.readLine();
        if (line == null) {
            throw new IOException("clients ended by themselves; see " + log);
        }
        return line;
    }
}

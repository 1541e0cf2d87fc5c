// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers.client;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.aether.bench.peers.Block;
import io.aether.bench.peers.Policy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The clients' process of one policy: plays a block for each line of input and ends with its input. Arguments: the policy, the
 * servers as {@code host:port,...}, and the health table. A process for each: rivals bring their own threads and versions.
 */
public final class ClientMain {
    private ClientMain() {}

    public static void main(String[] args) throws IOException {
        PrintStream out = System.out;
        System.setOut(System.err);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, US_ASCII));
        List<Client> clients = new Clients(servers(args[1])).of(Policy.of(args[0]), Path.of(args[2]));
        out.println("ready");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            new Play(Block.parse(line), clients).run(out);
        }
        System.exit(0); // Rivals leave threads behind.
    }

    private static List<InetSocketAddress> servers(String list) {
        return Stream.of(list.split(",", -1)).map(ClientMain::server).toList();
    }

    private static InetSocketAddress server(String text) {
        int colon = text.lastIndexOf(':');
        return new InetSocketAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }
}

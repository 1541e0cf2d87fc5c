// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload.client;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.aether.bench.overload.Bout;
import io.aether.bench.overload.gate.Gates;
import io.aether.core.NanoClock;
import io.aether.core.table.HealthTable;
import io.aether.core.table.NetworkNamespace;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Path;

/**
 * The clients' process: plays a bout for each line of input and ends with its input. Arguments: the health table, and the
 * server's port.
 */
public final class ClientMain {
    private ClientMain() {}

    public static void main(String[] args) throws Exception {
        PrintStream out = System.out;
        System.setOut(System.err);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, US_ASCII));
        try (HealthTable table = HealthTable.open(Path.of(args[0]), NanoClock.system())) {
            Gates gates = new Gates(table, NetworkNamespace.inodeOfSelf());
            out.println("ready");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                new Play(Bout.parse(line), gates, Integer.parseInt(args[1])).run(out);
            }
        }
    }
}

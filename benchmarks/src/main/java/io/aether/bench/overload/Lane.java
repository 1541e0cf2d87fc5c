// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.aether.bench.ProcessorTime;
import io.aether.bench.overload.client.ClientMain;
import io.aether.bench.overload.server.ServerMain;
import io.aether.core.table.EndpointHealth;
import io.aether.core.table.TableLayout;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A server's process and a clients' process that play one bout after the other. Not thread-safe. */
final class Lane {
    private static final int OUTCOME_WORDS = 9;
    private static final long SLOT_NANOS = 100_000_000L;

    private final Stage stage;
    private final Writer toServer;
    private final BufferedReader fromServer;
    private final Writer toClients;
    private final BufferedReader fromClients;
    private final int port;
    private final long netns;
    private final EndpointHealth health = new EndpointHealth();

    private Lane(Stage stage, Process server, BufferedReader fromServer, int port) throws IOException {
        this.stage = stage;
        this.port = port;
        this.netns = stage.serversInode();
        this.toServer = server.outputWriter(US_ASCII);
        this.fromServer = fromServer;
        Process clients =
                stage.start(stage.clients(), ClientMain.class, stage.tableFile().toString(), Integer.toString(port));
        this.toClients = clients.outputWriter(US_ASCII);
        this.fromClients = clients.inputReader(US_ASCII);
        expect(fromClients, "ready");
    }

    static Lane open(Stage stage) throws IOException {
        Process server = stage.start(
                stage.servers(), ServerMain.class, stage.applications().toString());
        BufferedReader from = server.inputReader(US_ASCII);
        return new Lane(stage, server, from, Integer.parseInt(line(from)));
    }

    /** Plays one bout. */
    Played play(Bout bout) throws IOException, InterruptedException {
        tell(toServer, bout);
        expect(fromServer, "ok");
        ProcessorTime before = ProcessorTime.now();
        tell(toClients, bout);
        expect(fromClients, "start");
        List<double[]> samples = sample();
        double busy = ProcessorTime.now().busySince(before);
        List<Timeline.Slot> slots = new ArrayList<>();
        while (true) {
            String[] words = line(fromClients).split(" ", -1);
            if (words[0].equals("outcome") && words.length == OUTCOME_WORDS) {
                return new Played(
                        bout, outcome(words), new Timeline(slots), Double.parseDouble(words[OUTCOME_WORDS - 1]), busy);
            }
            slots.add(slot(words, samples.get(Math.min(slots.size(), samples.size() - 1))));
        }
    }

    /** The server's queue, ms, and the share of its segments that were marked, every tenth of a second until the end. */
    private List<double[]> sample() throws IOException, InterruptedException {
        List<double[]> samples = new ArrayList<>();
        long marked = 0;
        long clean = 0;
        long next = System.nanoTime();
        while (!fromClients.ready()) {
            boolean known = read();
            long newMarked = known ? health.ce - marked : 0;
            long newClean = known ? health.ect - clean : 0;
            marked += newMarked;
            clean += newClean;
            double all = samples.isEmpty() ? 0 : newMarked + newClean;
            samples.add(new double[] {known ? health.estimatedWaitMicros / 1e3 : 0, all > 0 ? newMarked / all : 0});
            next += SLOT_NANOS;
            Wire.sleepUntil(next);
        }
        return samples;
    }

    private boolean read() {
        int kind = TableLayout.KIND_LOCAL;
        int slot = stage.table().find(netns, 0, 0, port, kind);
        return stage.table().read(slot, netns, 0, 0, port, kind, health);
    }

    private static Timeline.Slot slot(String[] words, double[] sample) {
        double[] numbers = new double[words.length];
        for (int i = 1; i < words.length; i++) {
            numbers[i] = Double.parseDouble(words[i]);
        }
        double perSecond = 1e9 / SLOT_NANOS;
        return new Timeline.Slot(
                numbers[1] * perSecond,
                numbers[2] * perSecond,
                numbers[3] * perSecond,
                numbers[5],
                numbers[6],
                sample[0],
                sample[1]);
    }

    private static Outcome outcome(String... words) {
        double[] numbers = new double[words.length];
        for (int i = 1; i < words.length; i++) {
            numbers[i] = Double.parseDouble(words[i]);
        }
        return new Outcome(
                numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6], numbers[7], Map.of());
    }

    private static void tell(Writer to, Bout bout) throws IOException {
        to.write(bout.line() + "\n");
        to.flush();
    }

    private static void expect(BufferedReader from, String word) throws IOException {
        String line = line(from);
        if (!line.equals(word)) {
            throw new IOException("a process of the benchmark said '" + line + "' instead of '" + word + "'");
        }
    }

    private static String line(BufferedReader from) throws IOException {
        String line = from.readLine();
        if (line == null) {
            throw new IOException("a process of the benchmark ended");
        }
        return line;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.incast;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The one that asks, in a process of its own. Reads commands and answers each with a line:
 *
 * <ul>
 *   <li>{@code connect PORT}: all policies' connections, which stay
 *   <li>{@code rounds POLICY N}: that many rounds; the time of each, us
 *   <li>{@code stream POLICY MILLIS}: four long answers on connections of their own; bytes and us of the later two thirds
 * </ul>
 */
final class Aggregator {
    private static final int SENDERS = 32;
    private static final int ANSWER_BYTES = 32 * 1024;
    private static final int STREAMS = 4;
    private static final long PAUSE_MILLIS = 2;
    private static final long ENDLESS = 1L << 40;

    private final Map<Policy, Answers> answers = new EnumMap<>(Policy.class);
    private int port;

    public static void main(String[] args) throws IOException, InterruptedException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, US_ASCII));
        Aggregator aggregator = new Aggregator();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(aggregator.obey(line.split(" ", -1)));
        }
    }

    private String obey(String... words) throws IOException, InterruptedException {
        return switch (words[0]) {
            case "connect" -> connect(Integer.parseInt(words[1]));
            case "rounds" -> rounds(Policy.valueOf(words[1]), Integer.parseInt(words[2]));
            case "stream" -> stream(Policy.valueOf(words[1]), Long.parseLong(words[2]));
            default -> throw new IllegalArgumentException(words[0]);
        };
    }

    private String connect(int sendersPort) throws IOException, InterruptedException {
        port = sendersPort;
        for (Policy policy : Policy.values()) {
            answers.put(policy, Answers.connect(policy, port, SENDERS));
        }
        return "ok";
    }

    private String rounds(Policy policy, int count) throws IOException, InterruptedException {
        long[] micros = new long[count];
        for (int i = 0; i < count; i++) {
            micros[i] = Objects.requireNonNull(answers.get(policy)).round(ANSWER_BYTES);
            Thread.sleep(PAUSE_MILLIS);
        }
        return LongStream.of(micros).mapToObj(Long::toString).collect(Collectors.joining(" "));
    }

    private String stream(Policy policy, long millis) throws IOException {
        try (Answers streams = Answers.connect(policy, port, STREAMS)) {
            streams.ask(ENDLESS);
            streams.read(millis * 1000 / 3);
            long start = System.nanoTime();
            long bytes = streams.read(millis * 1000 * 2 / 3);
            return bytes + " " + (System.nanoTime() - start) / 1000;
        }
    }
}

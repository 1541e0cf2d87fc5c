// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers;

import java.io.IOException;
import java.util.Arrays;
import java.util.StringJoiner;

/**
 * What became of the requests of a block. Those answered by an error at once have no latency; those given up count with the
 * time that they waited, and as errors too. Immutable.
 */
public final class Samples {
    /** No request. */
    static final Samples NONE = new Samples(new int[0], 0, 0, 0);

    private static final int HEAD = 3;
    /** 99.9 % of 1,000 are 999 and not a little more. */
    private static final double ROUNDING = 1e-6;

    private final int[] micros;
    private final int failed;
    private final int gaveUp;
    private final double lateMillis;

    /**
     * @param micros latencies from the intended start; taken over
     * @param failed requests that ended without success
     * @param gaveUp those of them that have a latency
     * @param lateMillis by how much the generator was late, at P99
     */
    public Samples(int[] micros, int failed, int gaveUp, double lateMillis) {
        this.micros = micros;
        Arrays.sort(micros);
        this.failed = failed;
        this.gaveUp = gaveUp;
        this.lateMillis = lateMillis;
    }

    /** Both together. */
    Samples and(Samples other) {
        int[] all = Arrays.copyOf(micros, micros.length + other.micros.length);
        System.arraycopy(other.micros, 0, all, micros.length, other.micros.length);
        return new Samples(all, failed + other.failed, gaveUp + other.gaveUp, Math.max(lateMillis, other.lateMillis));
    }

    /** How many requests there were. */
    int count() {
        return micros.length + failed - gaveUp;
    }

    /** The least latency that so many percent do not exceed; NaN without any. */
    double millis(double percentile) {
        if (micros.length == 0) {
            return Double.NaN;
        }
        int rank = (int) Math.ceil(percentile / 100 * micros.length - ROUNDING);
        return micros[Math.max(0, rank - 1)] / 1e3;
    }

    /** Of all requests; NaN without any. */
    double errorPercent() {
        return count() == 0 ? Double.NaN : 100.0 * failed / count();
    }

    /** By how much the generator was late at P99, in the worst of the blocks. */
    double lateMillis() {
        return lateMillis;
    }

    /** Of the wire. */
    public String line() {
        StringJoiner line = new StringJoiner(" ");
        line.add(Integer.toString(failed)).add(Integer.toString(gaveUp)).add(Double.toString(lateMillis));
        for (int latency : micros) {
            line.add(Integer.toString(latency));
        }
        return line.toString();
    }

    /** As {@link #line} wrote it. */
    static Samples parse(String line) throws IOException {
        String[] words = line.split(" ", -1);
        try {
            int[] micros = new int[words.length - HEAD];
            Arrays.setAll(micros, i -> Integer.parseInt(words[HEAD + i]));
            return new Samples(
                    micros, Integer.parseInt(words[0]), Integer.parseInt(words[1]), Double.parseDouble(words[2]));
        } catch (NumberFormatException | NegativeArraySizeException e) {
            throw new IOException("a process of the benchmark said '" + line + "' instead of latencies", e);
        }
    }
}

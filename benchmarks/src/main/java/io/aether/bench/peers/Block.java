// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers;

/**
 * What a clients' process is told to play: Poisson arrivals, of which those after the time to settle count.
 *
 * @param rate requests per second, of all clients together
 */
public record Block(double rate, int settleMillis, int millis, long seed) {

    /** Of the wire. */
    String line() {
        return rate + " " + settleMillis + " " + millis + " " + seed;
    }

    /** As {@link #line} wrote it. */
    public static Block parse(String line) {
        String[] words = line.split(" ", -1);
        return new Block(
                Double.parseDouble(words[0]),
                Integer.parseInt(words[1]),
                Integer.parseInt(words[2]),
                Long.parseLong(words[3]));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.guard;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Locale;

/** The honest client, in a process of its own: opens connections one after the other, a few milliseconds apart. */
final class Clients {
    private static final int TIMEOUT_MILLIS = 5_000;
    private static final long PAUSE_MILLIS = 10;

    private Clients() {}

    /** Arguments: address, port, count. Prints how many succeeded, and their median and 99th percentile in ms. */
    public static void main(String[] args) throws InterruptedException {
        InetSocketAddress server = new InetSocketAddress(args[0], Integer.parseInt(args[1]));
        int count = Integer.parseInt(args[2]);
        double[] millis = new double[count];
        int succeeded = 0;
        for (int i = 0; i < count; i++) {
            long start = System.nanoTime();
            try (Socket socket = new Socket()) {
                socket.connect(server, TIMEOUT_MILLIS);
                millis[succeeded++] = (System.nanoTime() - start) / 1e6;
            } catch (IOException e) {
                // Counted by what is missing.
            }
            Thread.sleep(PAUSE_MILLIS);
        }
        double[] sorted = Arrays.copyOf(millis, succeeded);
        Arrays.sort(sorted);
        System.out.printf(Locale.ROOT, "%d %.3f %.3f%n", succeeded, percentile(sorted, 50), percentile(sorted, 99));
    }

    private static double percentile(double[] sorted, int percent) {
        return sorted.length == 0 ? Double.NaN : sorted[Math.min(sorted.length - 1, sorted.length * percent / 100)];
    }
}

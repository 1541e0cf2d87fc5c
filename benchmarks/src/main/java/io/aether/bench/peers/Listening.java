// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;

/** Waits for processes that have been started. */
final class Listening {
    private static final int MOST_MILLIS = 20_000;
    private static final int PROBE_MILLIS = 20;

    private Listening() {}

    /** Waits until one listens; fails, and names its log, when it ends or takes more than 20 s. */
    static void await(InetSocketAddress address, Process process, Path log) throws IOException, InterruptedException {
        for (int waited = 0; ; waited += PROBE_MILLIS) {
            try (Socket socket = new Socket()) {
                socket.connect(address, PROBE_MILLIS);
                return;
            } catch (IOException e) {
                if (waited >= MOST_MILLIS || !process.isAlive()) {
                    throw new IOException("nobody listens at " + address + "; see " + log, e);
                }
                Thread.sleep(PROBE_MILLIS);
            }
        }
    }
}

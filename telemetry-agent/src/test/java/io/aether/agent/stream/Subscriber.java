// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.stream;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** A client of the stream that reads it line by line, without a library between the socket and the clock. */
public final class Subscriber implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 20_000;
    private static final int SMALL = 4096;

    private final Socket socket = new Socket();
    private final BufferedReader lines;
    private final String status;

    /** One event. */
    public record Event(String id, String name, String data, long receivedNanos) {}

    /** @param headers lines that end with a line break each */
    public Subscriber(int port, String headers) throws IOException {
        socket.setReceiveBufferSize(SMALL);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.connect(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port));
        // Version 1.0, so that the answer is not cut into chunks.
        String request =
                "GET /api/v1/stream HTTP/1.0\r\nHost: localhost\r\nAccept: text/event-stream\r\n" + headers + "\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        status = line();
        while (!line().isEmpty()) {
            // The headers.
        }
    }

    /** The first line of the answer. */
    public String status() {
        return status;
    }

    /** The next line; what follows the headers of a refusal, too. */
    public String line() throws IOException {
        String line = lines.readLine();
        if (line == null) {
            throw new IOException("the stream ended");
        }
        return line;
    }

    /** The next event; comments are left out. Fails when none comes, whatever comments do. */
    public Event next() throws IOException {
        String id = "";
        String name = "";
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        for (String line = line(); ; line = line()) {
            if (line.startsWith("id: ")) {
                id = line.substring(4);
            } else if (line.startsWith("event: ")) {
                name = line.substring(7);
            } else if (line.startsWith("data: ")) {
                return new Event(id, name, line.substring(6), System.nanoTime());
            } else if (System.nanoTime() - end > 0) {
                throw new IOException("no event came");
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

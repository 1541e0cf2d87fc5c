// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overhead;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;

/** One HTTP/1.1 connection of a client that wastes nothing: what is measured is the machine. Not thread-safe. */
final class Connection implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final String LENGTH = "content-length:";
    private static final byte[] SUCCESS = "HTTP/1.1 200 ".getBytes(US_ASCII);

    private final Socket socket = new Socket();
    private final byte[] buffer = new byte[8192];
    private final byte[] request;
    private int answer; // bytes of one; 0 before the first

    /** @param last whether the server is asked to close the connection after its answer */
    Connection(InetSocketAddress server, boolean last) throws IOException {
        request = ("GET / HTTP/1.1\r\nHost: bench\r\n" + (last ? "Connection: close\r\n" : "") + "\r\n")
                .getBytes(US_ASCII);
        try {
            socket.connect(server, TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MILLIS);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Sends a request and reads its answer to the end. All answers are alike: only the first one's head is taken apart. */
    void exchange() throws IOException {
        socket.getOutputStream().write(request);
        InputStream in = socket.getInputStream();
        int have = 0;
        while (answer == 0) {
            have += read(in, have);
            answer = length(have);
        }
        while (have < answer) {
            have += read(in, have);
        }
        if (!Arrays.equals(buffer, 0, SUCCESS.length, SUCCESS, 0, SUCCESS.length)) {
            throw new IOException("the server answered " + new String(buffer, 0, have, US_ASCII));
        }
    }

    /** Of the whole answer that begins here; 0 before the end of its head is there. */
    private int length(int have) throws IOException {
        int end = new String(buffer, 0, have, US_ASCII).indexOf("\r\n\r\n");
        return end < 0 ? 0 : end + 4 + length(new String(buffer, 0, end, US_ASCII));
    }

    private int read(InputStream in, int have) throws IOException {
        int count = in.read(buffer, have, buffer.length - have);
        if (count <= 0) {
            throw new EOFException("the answer ended early");
        }
        return count;
    }

    private static int length(String head) throws IOException {
        String line = head.lines()
                .filter(each -> each.regionMatches(true, 0, LENGTH, 0, LENGTH.length()))
                .findFirst()
                .orElseThrow(() -> new IOException("an answer without a length"));
        return Integer.parseInt(line.substring(LENGTH.length()).strip());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

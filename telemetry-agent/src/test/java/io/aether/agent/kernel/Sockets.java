// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code ss} tells of a server's connections; a line each. */
final class Sockets {
    private static final Pattern WINDOW = Pattern.compile(" cwnd:(\\d+)");
    private static final Pattern TIMEOUT = Pattern.compile(" rto:(\\d+)");
    private static final Pattern LIMIT = Pattern.compile(" pacing_rate \\d+bps/(\\d+)bps");
    private static final Pattern SENT = Pattern.compile(" bytes_sent:(\\d+)");

    private Sockets() {}

    static String of(Namespace server, int port) {
        List<String> command = List.of("ss", "-Htin", "state", "established", "sport", "=", ":" + port);
        return Shell.run(server.inside(command).toArray(String[]::new));
    }

    /** Of the first one, segments. */
    static int window(String sockets) {
        return first(WINDOW, sockets);
    }

    /** Of the first one. */
    static int timeoutMillis(String sockets) {
        return first(TIMEOUT, sockets);
    }

    private static int first(Pattern pattern, String sockets) {
        Matcher matcher = pattern.matcher(sockets);
        assertThat(matcher.find()).as(sockets).isTrue();
        return Integer.parseInt(matcher.group(1));
    }

    /** How many have a highest rate between these, bit/s. */
    static long limited(String sockets, long least, long most) {
        return LIMIT.matcher(sockets)
                .results()
                .mapToLong(match -> Long.parseLong(match.group(1)))
                .filter(rate -> rate > least && rate < most)
                .count();
    }

    /** Whether one that sent so many bytes has no highest rate. */
    static boolean isUnlimited(String sockets, long bytes) {
        return sockets.lines()
                .filter(line -> !LIMIT.matcher(line).find())
                .flatMap(line -> SENT.matcher(line).results())
                .anyMatch(sent -> Long.parseLong(sent.group(1)) >= bytes);
    }
}

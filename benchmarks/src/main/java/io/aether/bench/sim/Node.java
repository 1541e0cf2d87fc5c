// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim;

import io.aether.core.table.EndpointHealth;
import io.aether.core.table.TableLayout;
import org.jspecify.annotations.Nullable;

/**
 * The kernel of a machine with clients on it, and the health table that its agent keeps: what it knows of every server, at
 * the table's own freshness. Of a server on this machine it knows everything every 10 ms. Of one elsewhere it knows what
 * the health option tells: that it is stopped once it has left this node's data unread for 12 ms (measured, see
 * docs/benchmarks.md), and its pressure.
 */
final class Node {
    private static final long TICK_NANOS = 10 * Agenda.MILLI;
    private static final long STALL_SEEN_NANOS = 12 * Agenda.MILLI;
    private static final int AVERAGED = 8;

    private final Agenda agenda;
    private final Server[] servers;
    private final @Nullable Path[] paths;
    /** Servers live on this machine too. */
    boolean together;
    /** No agent: nothing is known. */
    boolean lost;
    /** How old everything is that it says, beyond what is true. */
    long delayNanos;
    /** Says that of all servers whatever the truth; null for the truth. */
    @Nullable
    Lie lie;

    /** What a broken agent says. */
    interface Lie {
        void tell(int server, EndpointHealth into);
    }

    private static final class Path {
        long time;
        double trip;
        long least = Long.MAX_VALUE;
        long second;
        int sent;
        int lost;
        int lostPermille;
        long unreadSince;
        double answer;
        long answerTime;
    }

    Node(Agenda agenda, Server[] servers) {
        this.agenda = agenda;
        this.servers = servers;
        this.paths = new Path[servers.length];
    }

    private Path path(int server) {
        Path known = paths[server];
        if (known == null) {
            known = new Path();
            paths[server] = known;
        }
        return known;
    }

    /** A segment went there; its acknowledgement took {@code trip}, after {@code lost} losses of it. */
    void sent(int server, long trip, int lost) {
        Path path = path(server);
        path.time = agenda.nanos();
        path.trip += path.trip == 0 ? trip : (trip - path.trip) / AVERAGED;
        path.least = Math.min(path.least, trip);
        long second = agenda.nanos() / Agenda.SECOND;
        if (second != path.second) {
            path.lostPermille = path.sent == 0 ? 0 : Math.min(1000, path.lost * 1000 / path.sent);
            path.second = second;
            path.sent = 0;
            path.lost = 0;
        }
        path.sent += 1 + lost;
        path.lost += lost;
    }

    /** A request of this node has come to the server; it may lie unread there. */
    void arrived(int server) {
        if (agenda.nanos() < servers[server].vitals.runsAgainAt) {
            Path path = path(server);
            if (path.unreadSince < servers[server].vitals.stoppedAt) {
                path.unreadSince = agenda.nanos();
            }
        }
    }

    /** An answer began {@code nanos} after its request, whoever on this node sent it. */
    void answered(int server, long nanos) {
        Path path = path(server);
        path.answer += path.answer == 0 ? nanos : (nanos - path.answer) / AVERAGED;
        path.answerTime = agenda.nanos();
    }

    /** Reads the slot of a server. */
    boolean read(int server, EndpointHealth into) {
        Path path = paths[server];
        if (lost || (path == null && !together)) {
            return false;
        }
        into.reset();
        if (path != null) {
            readPath(path, into);
        }
        readReport(servers[server].vitals, path, into);
        if (lie != null) {
            lie.tell(server, into);
        }
        return true;
    }

    private void readPath(Path path, EndpointHealth into) {
        if (path.time != 0) {
            into.pathTimeNanos = path.time - delayNanos;
            into.srttMicros = (long) (path.trip / 1000);
            into.minRttMicros = path.least / 1000;
            into.retransPermille = path.lostPermille;
        }
        if (path.answerTime != 0) {
            into.httpTimeNanos = path.answerTime - delayNanos;
            into.ttfbMicros = (long) (path.answer / 1000);
        }
    }

    private void readReport(Vitals vitals, @Nullable Path path, EndpointHealth into) {
        long now = agenda.nanos();
        long tick = now - now % TICK_NANOS;
        into.reportTimeNanos = tick - delayNanos;
        into.stallAgeMicros = 0;
        into.runQueueMicros = together ? vitals.runQueueMicros() : 0;
        into.sojournMicros = together ? vitals.sojournMicros() : 0;
        into.throttledPermille = together ? vitals.throttledPermille : 0;
        into.pressure = vitals.throttledPermille * 255 / 1000;
        long unread = path == null || path.unreadSince < vitals.stoppedAt ? 0 : path.unreadSince;
        if (now < vitals.runsAgainAt && unread != 0 && now - unread >= STALL_SEEN_NANOS) {
            into.flags |= TableLayout.FLAG_STALLED;
            into.stallAgeMicros = (now - unread) / 1000;
        }
        if (together && vitals.gone()) {
            into.flags |= TableLayout.FLAG_GONE;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.core.limit;

/** Packets sent to each client in the last full half second, and their mean: the weights of {@link Marker}. Not thread-safe. */
public final class ClientShares {
    /** Long enough to see a client of a few requests per second, short enough to follow a burst. */
    public static final long EPOCH_NANOS = 500_000_000L;

    private long epoch = Long.MIN_VALUE;
    private long packets;
    private int clients;
    private double mean;

    /** One client's count. */
    public static final class Client {
        private long epoch = Long.MIN_VALUE;
        private long packets;
        private long before;
    }

    /** Counts {@code sent} packets to {@code client} at {@code now}. */
    public void count(Client client, long sent, long now) {
        long current = turn(now);
        turn(client, current);
        if (client.packets == 0) {
            clients++;
        }
        client.packets += sent;
        packets += sent;
    }

    /** What the client got in the last full half second. */
    public long packets(Client client, long now) {
        turn(client, turn(now));
        return client.before;
    }

    /** The mean over the clients that got anything then; 0 if none did. */
    public double mean(long now) {
        turn(now);
        return mean;
    }

    private long turn(long now) {
        long current = Math.floorDiv(now, EPOCH_NANOS);
        if (current != epoch) {
            mean = current == epoch + 1 && clients > 0 ? (double) packets / clients : 0;
            packets = 0;
            clients = 0;
            epoch = current;
        }
        return current;
    }

    private static void turn(Client client, long current) {
        if (current != client.epoch) {
            client.before = current == client.epoch + 1 ? client.packets : 0;
            client.packets = 0;
            client.epoch = current;
        }
    }
}

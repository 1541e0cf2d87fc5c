// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload.client;

import io.aether.bench.overload.Address;
import io.aether.bench.overload.Bout;
import io.aether.bench.overload.Ledger;
import io.aether.bench.overload.gate.Gate;
import io.aether.bench.overload.gate.Gates;
import io.aether.bench.sim.Chance;
import io.aether.core.limit.Priority;
import io.aether.core.table.EndpointAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** All clients of one bout: what they send, and what they hear. One thread sends, one reads, one ticks. */
final class Clients implements AutoCloseable {
    private final List<Connection> connections = new ArrayList<>();
    private final Selector selector;
    private final Ledger ledger;
    private final Bout bout;
    private final Chance chance;
    private final double[] shares;
    private final AtomicReferenceArray<Sent> sent;
    private final AtomicInteger ids = new AtomicInteger();
    private volatile boolean closed;

    private record Sent(Connection connection, long intended, Gate.Pass pass) {}

    /** @param most requests that are sent at most */
    Clients(Bout bout, Gates gates, int port, Ledger ledger, int most) throws IOException {
        this.bout = bout;
        this.ledger = ledger;
        this.chance = new Chance(bout.seed() + 1);
        this.sent = new AtomicReferenceArray<>(most);
        this.selector = Selector.open();
        this.shares = new double[bout.clients()];
        double before = 0;
        for (int i = 0; i < bout.clients(); i++) {
            before += bout.mix().share(i, bout.clients());
            shares[i] = before;
            Gate gate = gates.make(bout, EndpointAddress.of(Address.ofServer(i), port));
            connections.add(Connection.open(i, gate, Address.client(i), Address.server(i, port), selector));
        }
        Thread reader = new Thread(this::read, "reader");
        reader.setDaemon(true);
        reader.start();
    }

    /** A request that was to be sent at {@code intended}, from whomever. */
    void send(long intended) throws IOException {
        Connection client = connections.get(draw());
        ledger.wanted(client.index, bout.mix().draw(chance), intended);
        Gate.Pass pass = client.gate.ask();
        int id = pass == null ? 0 : ids.getAndIncrement();
        if (pass == null || id >= sent.length()) {
            ledger.heldBack(intended);
            return;
        }
        sent.set(id, new Sent(client, intended, pass));
        client.send(id);
    }

    private int draw() {
        double point = chance.uniform();
        int index = 0;
        while (index < shares.length - 1 && shares[index] < point) {
            index++;
        }
        return index;
    }

    private void read() {
        try {
            while (!closed) {
                selector.select(this::ready);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void ready(SelectionKey key) {
        try {
            ((Connection) key.attachment()).read(this::hear);
        } catch (IOException e) {
            key.cancel();
            if (!closed) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void hear(int id, boolean served) {
        Sent request = sent.getAndSet(id, null);
        long now = System.nanoTime();
        if (served) {
            request.pass().answered();
            // Tiers are not told apart here.
            ledger.served(request.connection().index, Priority.CRITICAL, now - request.intended(), now);
        } else {
            request.pass().refused();
            ledger.refused(now);
        }
    }

    /** Ticks every {@code of}th client from {@code first} on: they do not beat as one. */
    void tick(int first, int of) {
        for (int i = first; i < connections.size(); i += of) {
            connections.get(i).gate.tick();
        }
    }

    /** What all together may send, where nobody would send more than {@code demand}; and the mean share marked or refused. */
    double[] look(double demand) {
        double allowed = 0;
        double fraction = 0;
        for (Connection connection : connections) {
            allowed +=
                    Math.min(connection.gate.limit(), demand * bout.mix().share(connection.index, connections.size()));
            fraction += connection.gate.fraction() / connections.size();
        }
        return new double[] {allowed, fraction};
    }

    @Override
    public void close() throws IOException {
        closed = true;
        selector.wakeup();
        for (Connection connection : connections) {
            connection.close();
        }
        selector.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The latest events, numbered from 1 on. Every reader keeps the number of the last one it has seen and asks for what came
 * after: so one bounded ring serves those who keep up, those who are slow and those who come back. Whoever adds never
 * waits for a reader. Thread-safe.
 */
final class EventLog {
    private final @Nullable StreamEvent[] ring;
    private long last;
    private boolean closed;

    /** @param capacity events that are kept */
    EventLog(int capacity) {
        ring = new @Nullable StreamEvent[capacity];
    }

    /**
     * What came after an event.
     *
     * @param lost events that are no longer kept
     * @param events the others, in their order; empty when nothing came in time
     * @param closed whether nothing will come any more
     */
    record Batch(long lost, List<StreamEvent> events, boolean closed) {}

    synchronized void add(String name, String data) {
        last++;
        ring[slot(last)] = new StreamEvent(last, name, data);
        notifyAll();
    }

    /** The number of the latest event; 0 before the first. */
    synchronized long last() {
        return last;
    }

    /** What came after the event of this number; waits for it when nothing did. */
    synchronized Batch after(long sequence, long waitMillis) throws InterruptedException {
        if (sequence == last && !closed && waitMillis > 0) {
            // Woken too early it returns an empty batch: at worst one heartbeat more.
            TimeUnit.MILLISECONDS.timedWait(this, waitMillis);
        }
        long first = Math.max(sequence + 1, last - ring.length + 1);
        List<StreamEvent> events = new ArrayList<>();
        for (long i = first; i <= last; i++) {
            StreamEvent event = ring[slot(i)];
            if (event != null) {
                events.add(event);
            }
        }
        return new Batch(first - sequence - 1, events, closed);
    }

    /** Nothing comes any more; whoever waits returns. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }

    private int slot(long sequence) {
        return (int) (sequence % ring.length);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim;

import io.aether.core.NanoClock;
import java.util.Arrays;

/** What happens when, in virtual time: a binary heap by time, then by order of entry. Not thread-safe. */
final class Agenda implements NanoClock {
    static final long MILLI = 1_000_000L;
    static final long SECOND = 1000 * MILLI;
    /** Not zero, for zero means "never" in the health table. */
    private static final long ORIGIN = 1000 * SECOND;

    private long[] times = new long[1024];
    private long[] orders = new long[1024];
    private Runnable[] actions = new Runnable[1024];
    private int size;
    private long order;
    private long now = ORIGIN;

    @Override
    public long nanos() {
        return now;
    }

    /** Runs {@code action} at {@code time}, or now if that is past. */
    void at(long time, Runnable action) {
        if (size == times.length) {
            times = Arrays.copyOf(times, size * 2);
            orders = Arrays.copyOf(orders, size * 2);
            actions = Arrays.copyOf(actions, size * 2);
        }
        int hole = size++;
        long mine = order++;
        while (hole > 0 && before(time, mine, (hole - 1) >>> 1)) {
            move((hole - 1) >>> 1, hole);
            hole = (hole - 1) >>> 1;
        }
        put(hole, time, mine, action);
    }

    void after(long nanos, Runnable action) {
        at(now + nanos, action);
    }

    /** Runs {@code action} every {@code nanos}, the first time after {@code first}. */
    void every(long first, long nanos, Runnable action) {
        after(first, () -> {
            action.run();
            every(nanos, nanos, action);
        });
    }

    /** Lets time pass up to {@code end}. */
    void runUntil(long end) {
        while (size > 0 && times[0] <= end) {
            now = Math.max(now, times[0]);
            Runnable next = actions[0];
            removeFirst();
            next.run();
        }
        now = Math.max(now, end);
    }

    private void removeFirst() {
        int last = --size;
        long time = times[last];
        long mine = orders[last];
        Runnable action = actions[last];
        int hole = 0;
        for (int child = 1; child < last; child = 2 * hole + 1) {
            if (child + 1 < last && before(times[child + 1], orders[child + 1], child)) {
                child++;
            }
            if (before(time, mine, child)) {
                break;
            }
            move(child, hole);
            hole = child;
        }
        put(hole, time, mine, action);
    }

    private boolean before(long time, long mine, int other) {
        return time != times[other] ? time < times[other] : mine < orders[other];
    }

    private void move(int from, int to) {
        put(to, times[from], orders[from], actions[from]);
    }

    private void put(int place, long time, long mine, Runnable action) {
        times[place] = time;
        orders[place] = mine;
        actions[place] = action;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.core.limit;

/**
 * Turns one peer's cumulative counters of marked and unmarked packets, as the health table has them, into what came
 * since the last look. The first look only remembers. Counters that went back (another agent, a wrap, a slot in other
 * hands) or that leapt beyond belief are a new beginning: counted, and nothing is concluded from them.
 *
 * <p>Not thread-safe: confined to the thread that reads the table.
 */
public final class PeerMarks {
    /** A second at 100 Gbit/s in packets of 1,500 bytes, rounded up. */
    static final long MOST_PACKETS = 10_000_000;

    private boolean known;
    private long lastMarked;
    private long lastClean;
    private long marked;
    private long clean;
    private long restarts;

    /**
     * Takes a reading.
     *
     * @param markedTotal packets with CE since the counters began
     * @param cleanTotal ECN-capable packets without CE since then
     * @return whether there is news, in {@link #marked()} and {@link #clean()}
     */
    public boolean read(long markedTotal, long cleanTotal) {
        long newMarked = markedTotal - lastMarked;
        long newClean = cleanTotal - lastClean;
        lastMarked = markedTotal;
        lastClean = cleanTotal;
        boolean first = !known;
        known = true;
        boolean believed = credible(newMarked) && credible(newClean);
        if (!first && !believed) {
            restarts++;
        }
        boolean use = !first && believed;
        marked = use ? newMarked : 0;
        clean = use ? newClean : 0;
        return use && newMarked + newClean > 0;
    }

    /** Forgets the peer's counters: it left the table. */
    public void forget() {
        known = false;
        marked = 0;
        clean = 0;
    }

    public long marked() {
        return marked;
    }

    public long clean() {
        return clean;
    }

    /** How often the counters began anew, or were not believed. */
    public long restarts() {
        return restarts;
    }

    private static boolean credible(long packets) {
        return packets >= 0 && packets <= MOST_PACKETS;
    }
}

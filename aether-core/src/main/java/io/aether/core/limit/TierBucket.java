// SPDX-License-Identifier: Apache-2.0
package io.aether.core.limit;

/**
 * One bucket for all tiers: each passes above its own height, CRITICAL may take again what others took, and BULK has a floor.
 * Thread-safe, lock-free, allocates nothing. {@code docs/decisions/031-tiers-and-users.md} says why.
 */
final class TierBucket {
    /** BULK's floor: what it gets of the limit even when the tiers before it want all. */
    static final double FLOOR = 0.02;

    private final TokenBucket bucket = new TokenBucket();
    private final TokenBucket floor = new TokenBucket();
    private final Owed owed = new Owed();

    /** A limit begins. */
    void begin(long now) {
        bucket.fill(1, now);
        floor.fill(1, now);
    }

    /** Takes what is there. */
    void drain(long now) {
        bucket.fill(0, now);
    }

    /** Whether a request may be sent now; if so, its token is taken. */
    boolean take(Priority priority, float rank, long now, double limit, float size) {
        if (bucket.take(now, needed(priority, rank, size), limit, size)) {
            if (priority != Priority.CRITICAL) {
                owed.add(size);
            }
            return true;
        }
        if (entitled(priority, now, limit)) {
            bucket.force(now, limit, size);
            return true;
        }
        return false;
    }

    /** Takes a token, into debt if need be. */
    void force(long now, double limit, float size) {
        bucket.force(now, limit, size);
    }

    /** Whether it may take a token that is not there: it is owed, or the floor's. */
    private boolean entitled(Priority priority, long now, double limit) {
        return switch (priority) {
            case CRITICAL -> owed.take();
            case BULK -> floor.take(now, 1, limit * FLOOR, 1);
            default -> false;
        };
    }

    /** Tokens that must be there: one, above the reserve; a full bucket lets everyone pass. */
    private static float needed(Priority priority, float rank, float size) {
        float known = rank >= 0 && rank < 1 ? rank : UserRank.NOBODY;
        return 1 + (priority.reserve() + Priority.BAND * known) * (size - 1);
    }

    /** Tokens that must come before such a request passes; not positive when it would pass now. */
    double missing(Priority priority, float rank, long now, double limit, float size) {
        return needed(priority, rank, size) - bucket.level(now, limit, size);
    }

    /** Tokens that are there. */
    float level(long now, double limit, float size) {
        return bucket.level(now, limit, size);
    }
}

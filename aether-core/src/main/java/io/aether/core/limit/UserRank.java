// SPDX-License-Identifier: Apache-2.0
package io.aether.core.limit;

/**
 * Who of a tier is refused first: a number in {@code [0, 1)} for a user and an hour, the same in every process, so that
 * the calls of one request are refused together and not each by its own luck. It changes every hour, so that nobody is
 * last for long. The idea is that of DAGOR (SoCC 2018); here the rank shifts the level of the bucket above which the
 * request passes, within the band of its tier.
 *
 * <p>Pure and thread-safe.
 */
public final class UserRank {
    /** For requests without a user: they are refused last in their tier. */
    public static final float NOBODY = 0;

    private static final int BITS = 24;

    private UserRank() {}

    /**
     * The rank of a user in an hour.
     *
     * @param userHash any hash of the user's identity that all services compute alike
     * @param epochHour hours since 1970, UTC
     */
    public static float of(long userHash, long epochHour) {
        // The finisher of SplittableRandom: neighbours in hash or hour are strangers in rank.
        long x = userHash + epochHour * 0x9e3779b97f4a7c15L;
        x = (x ^ (x >>> 30)) * 0xbf58476d1ce4e5b9L;
        x = (x ^ (x >>> 27)) * 0x94d049bb133111ebL;
        x ^= x >>> 31;
        return (x >>> (Long.SIZE - BITS)) * 0x1p-24f;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.core.limit;

/**
 * A limiter at one moment; the counts are totals since it was created.
 *
 * @param rate the limit in requests per second, infinite for none
 * @param delivered answers per second, smoothed
 * @param fraction share marked or refused lately, 0 to 1
 * @param inFlight requests whose end was not reported yet
 * @param sent requests let through
 * @param heldBack requests held back here
 * @param answered requests answered, without refusals
 * @param refused requests that the server refused for overload
 * @param lost requests that ended without an answer
 * @param marked packets with CE
 * @param clean ECN-capable packets without
 * @param passedStale requests let through because nobody judged any more
 * @param engagements how often an open branch was closed
 * @param clockJumps windows thrown away because the clock went back or leapt
 */
public record LimiterSnapshot(
        double rate,
        double delivered,
        double fraction,
        long inFlight,
        long sent,
        long heldBack,
        long answered,
        long refused,
        long lost,
        long marked,
        long clean,
        long passedStale,
        long engagements,
        long clockJumps) {}

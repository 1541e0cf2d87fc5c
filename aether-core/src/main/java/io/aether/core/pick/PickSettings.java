// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import java.time.Duration;

/**
 * The law's constants. Each has a default that suits services of 2 to 10,000 instances and latencies of 100 us to
 * seconds.
 *
 * @param maxCandidates most instances compared by one pick, 2 to 16
 * @param ewmaTau time constant of the latency estimate
 * @param failurePenalty the latency that a failure counts as
 * @param maxRetryAfter most of a server's Retry-After that is believed
 * @param ejectAfter failures in a row that eject; a refused connection ejects at once
 * @param firstEjection how long the first ejection in a row lasts; each further one twice as long
 * @param maxEjection the longest one
 * @param tieRatio costs up to this many times the lowest are ties, decided in turn; at least 1
 * @param rampAnswers answers after which a new instance is like any other; until then it may have one request more in
 *     flight than it has answered
 * @param warmUp how long a new instance, or one that was out, is given to be warmed up before it gets requests that somebody
 *     waits for; zero where nobody sends it others
 * @param hotRatio requests in flight relative to the fleet's mean that make an instance hot, see {@code hotFloor}
 * @param hotFloor requests in flight that never make an instance hot
 */
public record PickSettings(
        int maxCandidates,
        Duration ewmaTau,
        Duration failurePenalty,
        Duration maxRetryAfter,
        int ejectAfter,
        Duration firstEjection,
        Duration maxEjection,
        double tieRatio,
        int rampAnswers,
        Duration warmUp,
        double hotRatio,
        int hotFloor) {

    public static final int MOST_CANDIDATES = 16;

    public PickSettings {
        require(maxCandidates >= 2 && maxCandidates <= MOST_CANDIDATES, "maxCandidates", "2 to 16", maxCandidates);
        require(positive(ewmaTau), "ewmaTau", "positive", ewmaTau);
        require(positive(failurePenalty), "failurePenalty", "positive", failurePenalty);
        require(!maxRetryAfter.isNegative(), "maxRetryAfter", "not negative", maxRetryAfter);
        require(ejectAfter >= 1, "ejectAfter", "at least 1", ejectAfter);
        require(positive(firstEjection), "firstEjection", "positive", firstEjection);
        require(maxEjection.compareTo(firstEjection) >= 0, "maxEjection", "at least firstEjection", maxEjection);
        require(tieRatio >= 1 && tieRatio < 10, "tieRatio", "1 to 10", tieRatio);
        require(rampAnswers >= 0, "rampAnswers", "not negative", rampAnswers);
        require(!warmUp.isNegative(), "warmUp", "not negative", warmUp);
        require(hotRatio >= 1, "hotRatio", "at least 1", hotRatio);
        require(hotFloor >= 1, "hotFloor", "at least 1", hotFloor);
    }

    public static PickSettings defaults() {
        return new PickSettings(
                6,
                Duration.ofSeconds(10),
                Duration.ofSeconds(5),
                Duration.ofSeconds(300),
                5,
                Duration.ofMillis(500),
                Duration.ofSeconds(30),
                1.1,
                16,
                Duration.ZERO,
                3,
                8);
    }

    /** These with another number of candidates. */
    public PickSettings withMaxCandidates(int candidates) {
        return new PickSettings(
                candidates,
                ewmaTau,
                failurePenalty,
                maxRetryAfter,
                ejectAfter,
                firstEjection,
                maxEjection,
                tieRatio,
                rampAnswers,
                warmUp,
                hotRatio,
                hotFloor);
    }

    /** These with another pace of learning and forgetting. */
    public PickSettings withTimes(Duration tau, Duration penalty) {
        return new PickSettings(
                maxCandidates,
                tau,
                penalty,
                maxRetryAfter,
                ejectAfter,
                firstEjection,
                maxEjection,
                tieRatio,
                rampAnswers,
                warmUp,
                hotRatio,
                hotFloor);
    }

    /** These where somebody watches {@link Instance#wantsWarmUp()}. */
    public PickSettings withWarmUp(Duration time) {
        return new PickSettings(
                maxCandidates,
                ewmaTau,
                failurePenalty,
                maxRetryAfter,
                ejectAfter,
                firstEjection,
                maxEjection,
                tieRatio,
                rampAnswers,
                time,
                hotRatio,
                hotFloor);
    }

    private static boolean positive(Duration duration) {
        return duration.compareTo(Duration.ZERO) > 0;
    }

    private static void require(boolean holds, String name, String range, Object value) {
        if (!holds) {
            throw new IllegalArgumentException(name + " must be " + range + ", is " + value);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload;

/**
 * A bout that was played.
 *
 * @param lateMillis how late the generator was, 99th percentile
 * @param busy share of the machine's processor time that was used meanwhile, by whomever
 */
record Played(Bout bout, Outcome outcome, Timeline timeline, double lateMillis, double busy) {}

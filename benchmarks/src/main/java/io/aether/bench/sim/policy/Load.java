// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim.policy;

/**
 * What a server says of itself, in an answer's header or to a probe.
 *
 * @param inFlight requests in it now
 * @param latencyNanos median of the latest latencies at about this many in flight (Prequal's estimate); 0 unknown
 * @param serviceNanos mean time of work alone, without queueing; 0 unknown
 * @param utilisation busy share of its workers over the last second
 * @param perSecond answers in the last second
 * @param errorsPerSecond failures in the last second
 * @param answerNanos what the latest answers took on average, with their queueing, as the starter's server half keeps it
 */
public record Load(
        int inFlight,
        double latencyNanos,
        double serviceNanos,
        double utilisation,
        double perSecond,
        double errorsPerSecond,
        double answerNanos) {}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.view;

/**
 * The path to a peer, over all connections of this node's clients to it.
 *
 * @param ageMillis since the kernel last told
 * @param rttMicros smoothed round-trip time
 * @param minRttMicros least of the last 10 s
 * @param congestionWindow segments
 * @param inFlightBytes sent and not acknowledged
 * @param connections open now
 * @param retransmitPermille of the segments sent in the last second
 * @param segments sent since the agent started
 * @param retransmits since the agent started
 * @param synRetransmits since the agent started
 * @param congestedMillis how long it has been congested; 0 when it is not
 */
public record PathView(
        long ageMillis,
        long rttMicros,
        long minRttMicros,
        long congestionWindow,
        long inFlightBytes,
        long connections,
        long retransmitPermille,
        long segments,
        long retransmits,
        long synRetransmits,
        long congestedMillis) {}

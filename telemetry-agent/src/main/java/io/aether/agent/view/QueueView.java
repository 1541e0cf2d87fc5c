// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.view;

/**
 * The receive queue of an endpoint that listens on this node.
 *
 * @param ageMillis since the kernel last told
 * @param sojournMicros EWMA of arrival to the application's read
 * @param sojournMaxMicros worst of the last second
 * @param unread connections with data that nobody has read
 * @param acceptQueue connections waiting for accept
 * @param acceptLimit the listener's backlog
 * @param connections open now
 * @param reads since the agent started
 * @param arrivals since the agent started
 */
public record QueueView(
        long ageMillis,
        long sojournMicros,
        long sojournMaxMicros,
        long unread,
        long acceptQueue,
        long acceptLimit,
        long connections,
        long reads,
        long arrivals) {}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.view;

/**
 * The HTTP answers of an endpoint: of a peer what this node's clients got, of a listener what it gave.
 *
 * @param ageMillis since the last answer
 * @param ttfbMicros first byte of the request to first byte of the answer, smoothed
 * @param answersPerSecond in the last second
 * @param class2xx answers with a 2xx, a 3xx or a 101, since the agent started
 * @param class4xx answers with a 4xx, since then
 * @param class5xx answers with a 5xx, since then
 * @param unknown answers whose status could not be told, since then
 */
public record HttpView(
        long ageMillis,
        long ttfbMicros,
        long answersPerSecond,
        long class2xx,
        long class4xx,
        long class5xx,
        long unknown) {}

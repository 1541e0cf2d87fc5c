// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.stream;

/**
 * One event of the stream.
 *
 * @param sequence its number, from 1 on
 * @param name what kind of event it is
 * @param data JSON in one line
 */
record StreamEvent(long sequence, String name, String data) {}

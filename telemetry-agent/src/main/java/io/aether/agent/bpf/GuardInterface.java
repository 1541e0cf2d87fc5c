// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

/**
 * What became of the guard on one interface.
 *
 * @param name as {@code ip link} shows it
 * @param state whether packets are judged there
 * @param hook {@code native} in the driver, {@code generic} above it at a higher cost; empty unless attached
 * @param reason why not, or why not in native mode; may be empty
 * @param fix what the operator can do about it; may be empty
 */
public record GuardInterface(String name, ProbeStatus.State state, String hook, String reason, String fix) {}

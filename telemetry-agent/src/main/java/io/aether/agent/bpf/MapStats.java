// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

/**
 * How full one map of the kernel programs is.
 *
 * @param probe the object it belongs to
 * @param name its name there
 * @param entries entries it holds
 * @param capacity entries it can hold
 */
public record MapStats(String probe, String name, long entries, long capacity) {}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

/**
 * Figures of one loaded kernel program.
 *
 * @param probe the probe it belongs to
 * @param name the program's name
 * @param id the kernel's id
 * @param verifiedInstructions instructions that the verifier walked; 0 when the kernel does not tell
 * @param runs runs since it was loaded; 0 unless {@code kernel.bpf_stats_enabled} is set
 * @param runNanos time spent in them, ns; 0 under the same condition
 * @param events runs that concerned a watched socket or task
 */
public record ProgramStats(
        String probe, String name, int id, long verifiedInstructions, long runs, long runNanos, long events) {}

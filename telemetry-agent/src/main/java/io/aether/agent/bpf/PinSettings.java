// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import java.nio.file.Path;

/**
 * Where the kernel's maps and links are pinned, so that programs go on and nothing is forgotten while no agent runs.
 * Immutable.
 *
 * @param directory right below a bpf file system; made when missing. One agent at a time uses it
 * @param keepOnStop whether a normal end leaves the pins as a killed agent does; without, it removes them
 */
public record PinSettings(Path directory, boolean keepOnStop) {}

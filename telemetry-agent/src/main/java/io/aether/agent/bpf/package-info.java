// SPDX-License-Identifier: Apache-2.0
/** The bridge to the kernel programs and the pump of module {@code bpf}. */
@NullMarked
package io.aether.agent.bpf;

import org.jspecify.annotations.NullMarked;

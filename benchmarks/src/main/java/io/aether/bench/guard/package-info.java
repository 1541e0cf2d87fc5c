// SPDX-License-Identifier: Apache-2.0
/** What the guard costs for one packet and under a flood, beside the kernel's own firewall. */
@NullMarked
package io.aether.bench.guard;

import org.jspecify.annotations.NullMarked;

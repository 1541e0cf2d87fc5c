// SPDX-License-Identifier: Apache-2.0
/** How soon a client elsewhere can read that a server stands still. */
@NullMarked
package io.aether.bench.stall;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** Discrete events in virtual time: the real picking law and the published peers, in the cases where each is known to fail. */
@NullMarked
package io.aether.bench.sim;

import org.jspecify.annotations.NullMarked;

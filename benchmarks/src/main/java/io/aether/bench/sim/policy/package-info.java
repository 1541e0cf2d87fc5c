// SPDX-License-Identifier: Apache-2.0
/** The policies: peers from their published formulas, each with its source, and Aether's own classes. */
@NullMarked
package io.aether.bench.sim.policy;

import org.jspecify.annotations.NullMarked;

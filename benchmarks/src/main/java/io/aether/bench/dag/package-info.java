// SPDX-License-Identifier: Apache-2.0
/** The checkout graph with one branch at twice what it can serve: who pays for it, with the limiter and without. */
@NullMarked
package io.aether.bench.dag;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** One service under overload in virtual time: the real limiter, marker and admission, and whatever gate is put in their place. */
@NullMarked
package io.aether.bench.overload.sim;

import org.jspecify.annotations.NullMarked;

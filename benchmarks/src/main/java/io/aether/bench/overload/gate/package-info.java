// SPDX-License-Identifier: Apache-2.0
/** What a client asks before it sends: Aether's limiter, and its rivals. */
@NullMarked
package io.aether.bench.overload.gate;

import org.jspecify.annotations.NullMarked;

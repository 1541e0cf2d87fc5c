// SPDX-License-Identifier: Apache-2.0
/** Backpressure: how a server marks and refuses, and how its callers follow. */
@NullMarked
package io.aether.core.limit;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** What the starter costs an application's start and memory. */
@NullMarked
package io.aether.bench.start;

import org.jspecify.annotations.NullMarked;

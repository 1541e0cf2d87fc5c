// SPDX-License-Identifier: Apache-2.0
/** An application as its users write them, which does not know the starter. */
@NullMarked
package io.aether.bench.start.service;

import org.jspecify.annotations.NullMarked;

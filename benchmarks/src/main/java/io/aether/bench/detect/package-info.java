// SPDX-License-Identifier: Apache-2.0
/** How soon an application can read what happened in the kernel. */
@NullMarked
package io.aether.bench.detect;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** What the agent costs a busy machine. */
@NullMarked
package io.aether.bench.overhead;

import org.jspecify.annotations.NullMarked;

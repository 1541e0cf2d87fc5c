// SPDX-License-Identifier: Apache-2.0
/** The guard's life, its lists and their expiry. */
@NullMarked
package io.aether.agent.guard;

import org.jspecify.annotations.NullMarked;

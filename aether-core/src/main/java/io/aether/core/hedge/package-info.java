// SPDX-License-Identifier: Apache-2.0
/** When a request that waits too long is sent a second time, elsewhere, and how often that may be. */
@NullMarked
package io.aether.core.hedge;

import org.jspecify.annotations.NullMarked;

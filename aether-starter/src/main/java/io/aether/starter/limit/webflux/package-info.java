// SPDX-License-Identifier: Apache-2.0
/** What reactive applications answer when a call was held back, or a service that they need refuses. */
@NullMarked
package io.aether.starter.limit.webflux;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** The same for reactive applications. */
@NullMarked
package io.aether.starter.server.webflux;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** What Spring Cloud Gateway assigns to the requests of its routes. */
@NullMarked
package io.aether.starter.server.gateway;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** Limits the routes of Spring Cloud Gateway on WebFlux. */
@NullMarked
package io.aether.starter.limit.gateway;

import org.jspecify.annotations.NullMarked;

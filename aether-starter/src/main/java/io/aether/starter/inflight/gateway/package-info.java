// SPDX-License-Identifier: Apache-2.0
/** Exchanges of Spring Cloud Gateway on WebFlux. */
@NullMarked
package io.aether.starter.inflight.gateway;

import org.jspecify.annotations.NullMarked;

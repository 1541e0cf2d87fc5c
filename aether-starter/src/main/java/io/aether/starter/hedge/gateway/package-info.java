// SPDX-License-Identifier: Apache-2.0
/** Hedging of Spring Cloud Gateway's routes. */
@NullMarked
package io.aether.starter.hedge.gateway;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** The limiter of each branch, in Resilience4j's registry, and the error for what it holds back. */
@NullMarked
package io.aether.starter.limit;

import org.jspecify.annotations.NullMarked;

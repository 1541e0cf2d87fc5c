// SPDX-License-Identifier: Apache-2.0
/** Micrometer meters. */
@NullMarked
package io.aether.starter.metrics;

import org.jspecify.annotations.NullMarked;

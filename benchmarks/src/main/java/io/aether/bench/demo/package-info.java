// SPDX-License-Identifier: Apache-2.0
/**
 * The end-to-end demonstration: the checkout graph as processes of its own, faults injected from outside, and the
 * same open-loop load through every way of balancing.
 */
@NullMarked
package io.aether.bench.demo;

import org.jspecify.annotations.NullMarked;

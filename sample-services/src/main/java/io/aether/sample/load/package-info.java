// SPDX-License-Identifier: Apache-2.0
/** A load on the graph, in a process of its own and without Spring. */
@NullMarked
package io.aether.sample.load;

import org.jspecify.annotations.NullMarked;

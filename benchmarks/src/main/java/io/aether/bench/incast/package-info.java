// SPDX-License-Identifier: Apache-2.0
/** Many senders answer one aggregator at once, over a switch with a small buffer. */
@NullMarked
package io.aether.bench.incast;

import org.jspecify.annotations.NullMarked;

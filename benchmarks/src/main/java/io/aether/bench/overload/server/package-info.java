// SPDX-License-Identifier: Apache-2.0
/** The service: eight workers before one queue, that publishes its queue and refuses. */
@NullMarked
package io.aether.bench.overload.server;

import org.jspecify.annotations.NullMarked;

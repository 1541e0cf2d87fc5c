// SPDX-License-Identifier: Apache-2.0
/** The load: clients that never wait for answers, each with connection, address and limiter of its own. */
@NullMarked
package io.aether.bench.overload.client;

import org.jspecify.annotations.NullMarked;

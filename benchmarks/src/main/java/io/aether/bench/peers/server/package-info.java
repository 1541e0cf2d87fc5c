// SPDX-License-Identifier: Apache-2.0
/** The servers' process. */
@NullMarked
package io.aether.bench.peers.server;

import org.jspecify.annotations.NullMarked;

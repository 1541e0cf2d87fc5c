// SPDX-License-Identifier: Apache-2.0
/** The clients' process: the load, and every rival's balancer. */
@NullMarked
package io.aether.bench.peers.client;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** The balancer beside its rivals, over TCP: same clients, same servers, same faults, in turns. */
@NullMarked
package io.aether.bench.peers;

import org.jspecify.annotations.NullMarked;

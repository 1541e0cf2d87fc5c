// SPDX-License-Identifier: Apache-2.0
/** Requests of RestClient, RestTemplate and of HTTP interface clients built on them. */
@NullMarked
package io.aether.starter.inflight.blocking;

import org.jspecify.annotations.NullMarked;

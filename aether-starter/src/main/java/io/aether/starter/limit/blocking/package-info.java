// SPDX-License-Identifier: Apache-2.0
/** Limits requests of RestClient, RestTemplate and of HTTP interface clients built on them. */
@NullMarked
package io.aether.starter.limit.blocking;

import org.jspecify.annotations.NullMarked;

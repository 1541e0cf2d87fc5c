// SPDX-License-Identifier: Apache-2.0
/** Requests of WebClient and of HTTP interface clients built on it. */
@NullMarked
package io.aether.starter.inflight.webclient;

import org.jspecify.annotations.NullMarked;

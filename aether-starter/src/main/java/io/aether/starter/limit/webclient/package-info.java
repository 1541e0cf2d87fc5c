// SPDX-License-Identifier: Apache-2.0
/** Limits retries of WebClient, and tells the network of priorities. */
@NullMarked
package io.aether.starter.limit.webclient;

import org.jspecify.annotations.NullMarked;

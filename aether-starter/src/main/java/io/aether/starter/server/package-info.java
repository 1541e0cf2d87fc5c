// SPDX-License-Identifier: Apache-2.0
/** The server's half of backpressure: its own queue measured and told, requests refused beyond the limit, work that is too late not begun. */
@NullMarked
package io.aether.starter.server;

import org.jspecify.annotations.NullMarked;

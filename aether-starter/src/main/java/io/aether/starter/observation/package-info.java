// SPDX-License-Identifier: Apache-2.0
/** What observations, and with them spans, tell of a call: where it went, in what state that was, and what its limiter said. */
@NullMarked
package io.aether.starter.observation;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** Requests that nobody waits for, sent to instances that have just started. */
@NullMarked
package io.aether.starter.warmup;

import org.jspecify.annotations.NullMarked;

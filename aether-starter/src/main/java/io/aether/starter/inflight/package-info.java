// SPDX-License-Identifier: Apache-2.0
/** Requests in flight per instance: exact under cancel, timeout, disconnect, errors and streaming bodies. */
@NullMarked
package io.aether.starter.inflight;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** What a request brings along on its way: priority, deadline, user rank; on threads, in reactive chains, and in headers. */
@NullMarked
package io.aether.starter.context;

import org.jspecify.annotations.NullMarked;

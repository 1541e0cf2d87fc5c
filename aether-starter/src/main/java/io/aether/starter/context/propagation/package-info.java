// SPDX-License-Identifier: Apache-2.0
/** Carries the context of a request between threads and reactive chains, where Micrometer's context propagation is there. */
@NullMarked
package io.aether.starter.context.propagation;

import org.jspecify.annotations.NullMarked;

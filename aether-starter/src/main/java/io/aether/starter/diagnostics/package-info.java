// SPDX-License-Identifier: Apache-2.0
/** What stops an application at its start, said so that its owner knows what to change. */
@NullMarked
package io.aether.starter.diagnostics;

import org.jspecify.annotations.NullMarked;

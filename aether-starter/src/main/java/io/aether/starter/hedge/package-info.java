// SPDX-License-Identifier: Apache-2.0
/** Second attempts beside the first: for which calls, when, and which of the two answers counts. */
@NullMarked
package io.aether.starter.hedge;

import org.jspecify.annotations.NullMarked;

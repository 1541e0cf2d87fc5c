// SPDX-License-Identifier: Apache-2.0
/** What several tests share. */
@NullMarked
package io.aether.starter.testing;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.aether.core.score;

import org.jspecify.annotations.NullMarked;

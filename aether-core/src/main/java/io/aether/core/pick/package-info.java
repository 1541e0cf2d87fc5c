// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.aether.core.pick;

import org.jspecify.annotations.NullMarked;

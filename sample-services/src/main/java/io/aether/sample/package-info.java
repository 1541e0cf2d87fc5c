// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.aether.sample;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.aether.starter;

import org.jspecify.annotations.NullMarked;

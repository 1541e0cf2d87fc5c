// SPDX-License-Identifier: Apache-2.0
/** Keeps the kernel's view open and knows the addresses of instances. */
@NullMarked
package io.aether.starter.table;

import org.jspecify.annotations.NullMarked;

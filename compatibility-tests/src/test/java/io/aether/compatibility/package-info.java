// SPDX-License-Identifier: Apache-2.0
/** The starter beside registries, clients and tracers that its users have. */
@NullMarked
package io.aether.compatibility;

import org.jspecify.annotations.NullMarked;

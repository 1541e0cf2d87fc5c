// SPDX-License-Identifier: Apache-2.0
/** The actuator endpoint that explains and switches. */
@NullMarked
package io.aether.starter.actuator;

import org.jspecify.annotations.NullMarked;

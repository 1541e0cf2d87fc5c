// SPDX-License-Identifier: Apache-2.0
/** Auto-configurations and properties: adding the dependency is all a user does. */
@NullMarked
package io.aether.starter.autoconfigure;

import org.jspecify.annotations.NullMarked;

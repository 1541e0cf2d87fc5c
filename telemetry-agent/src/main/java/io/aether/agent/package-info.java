// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.aether.agent;

import org.jspecify.annotations.NullMarked;

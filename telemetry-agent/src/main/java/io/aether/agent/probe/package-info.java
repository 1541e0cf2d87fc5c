// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.aether.agent.probe;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.aether.agent.view;

import org.jspecify.annotations.NullMarked;

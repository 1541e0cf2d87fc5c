// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.aether.agent.web;

import org.jspecify.annotations.NullMarked;

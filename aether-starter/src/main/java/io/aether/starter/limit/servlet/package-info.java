// SPDX-License-Identifier: Apache-2.0
/** What servlet applications answer when a service that they need refuses. */
@NullMarked
package io.aether.starter.limit.servlet;

import org.jspecify.annotations.NullMarked;

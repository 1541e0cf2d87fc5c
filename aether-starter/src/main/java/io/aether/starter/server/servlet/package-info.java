// SPDX-License-Identifier: Apache-2.0
/** The same for servlet applications. */
@NullMarked
package io.aether.starter.server.servlet;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.aether.gateway.page;

import org.jspecify.annotations.NullMarked;

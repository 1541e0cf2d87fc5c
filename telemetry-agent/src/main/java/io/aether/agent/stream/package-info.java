// SPDX-License-Identifier: Apache-2.0
/** Changes of the health table's flags as server-sent events. */
@NullMarked
package io.aether.agent.stream;

import org.jspecify.annotations.NullMarked;

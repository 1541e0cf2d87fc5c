// SPDX-License-Identifier: Apache-2.0
/** Looks at a machine and says what the agent would see there and what is in its way. Uses no Spring. */
@NullMarked
package io.aether.agent.doctor;

import org.jspecify.annotations.NullMarked;

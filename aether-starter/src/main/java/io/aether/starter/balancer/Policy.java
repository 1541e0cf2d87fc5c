// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.balancer;

import io.aether.core.pick.Mode;
import io.aether.core.pick.Signals;

/** How instances of a service are chosen. */
public record Policy(Mode mode, Signals signals) {}

// SPDX-License-Identifier: Apache-2.0
/** The balancer that Spring asks for an instance, and the fleet of each service behind it. */
@NullMarked
package io.aether.starter.balancer;

import org.jspecify.annotations.NullMarked;

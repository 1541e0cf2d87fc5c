// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import io.aether.core.pick.Instance;
import io.aether.core.pick.InstanceClass;

/**
 * Where an attempt went.
 *
 * @param standing the instance's class when the attempt was sent
 */
public record Destination(Instance instance, InstanceClass standing) {}

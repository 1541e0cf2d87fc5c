// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.balancer;

import io.aether.core.pick.InstanceSnapshot;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One decision, kept to be explained.
 *
 * @param time when it was made
 * @param policy in force then
 * @param chosen {@code host:port} of Aether's choice
 * @param spring what Spring's balancer chose, in mode observe
 * @param avoided the instance that failed the same call before, if any
 * @param candidates the fleet as the decision found it; empty for large fleets
 * @param size number of instances to choose among
 */
public record Decision(
        Instant time,
        Policy policy,
        @Nullable String chosen,
        @Nullable String spring,
        @Nullable String avoided,
        List<InstanceSnapshot> candidates,
        int size) {}

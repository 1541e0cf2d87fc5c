// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.view;

import org.jspecify.annotations.Nullable;

/**
 * An endpoint that listens on this node.
 *
 * @param address literal, {@code *} for any
 * @param port it listens on
 * @param netns inode of its network namespace
 * @param cgroup short name of the owning cgroup; empty when not known
 * @param stalled whether requests arrive and nobody reads them
 * @param gone whether it does not listen any longer
 * @param queue null until the first measurement
 * @param report null when nothing is known
 * @param http null until the first answer
 * @param ecn its marks
 */
public record LocalView(
        String address,
        int port,
        long netns,
        String cgroup,
        boolean stalled,
        boolean gone,
        @Nullable QueueView queue,
        @Nullable ReportView report,
        @Nullable HttpView http,
        EcnView ecn) {}

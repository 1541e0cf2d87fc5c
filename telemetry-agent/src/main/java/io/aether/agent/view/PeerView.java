// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.view;

import org.jspecify.annotations.Nullable;

/**
 * A remote endpoint as the clients in one network namespace of this node see it.
 *
 * @param address literal, without brackets; IPv4-mapped addresses in their IPv4 form
 * @param port of the server
 * @param netns inode of the clients' network namespace
 * @param congested whether the round-trip time is above its threshold
 * @param stalled whether requests arrive there and nobody reads them
 * @param gone whether it was listening on this node and does no longer
 * @param path null until the first measurement
 * @param report null when nothing is known
 * @param http null until the first answer
 * @param ecn its marks
 */
public record PeerView(
        String address,
        int port,
        long netns,
        boolean congested,
        boolean stalled,
        boolean gone,
        @Nullable PathView path,
        @Nullable ReportView report,
        @Nullable HttpView http,
        EcnView ecn) {}

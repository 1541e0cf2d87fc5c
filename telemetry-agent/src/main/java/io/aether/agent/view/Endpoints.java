// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.view;

import java.util.List;

/** Everything in the health table at one moment. */
public record Endpoints(List<PeerView> peers, List<LocalView> locals) {
    /** Nothing: no table, or nothing seen yet. */
    public static final Endpoints NONE = new Endpoints(List.of(), List.of());
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.view;

import java.util.List;

/**
 * Marks of an endpoint: of a peer those that came from it, of a listener those that it set.
 *
 * @param marked segments with a mark, since the agent started
 * @param unmarked segments that could have had one, since then
 * @param markedPermille of both, over the last second
 * @param ablePermille of a peer: open connections that can carry marks
 * @param rungs of a peer: how its overload can be told to this node: {@code marks}, {@code report} in the health option,
 *     {@code status} of its answers (429 and 503). What applications put into headers no kernel sees
 */
public record EcnView(long marked, long unmarked, long markedPermille, int ablePermille, List<String> rungs) {
    public EcnView {
        rungs = List.copyOf(rungs);
    }
}

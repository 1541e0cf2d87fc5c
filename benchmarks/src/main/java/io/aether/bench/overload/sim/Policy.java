// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload.sim;

import io.aether.core.NanoClock;
import java.util.function.Function;

/**
 * What is done about overload. Rivals are further policies.
 *
 * @param name in rows
 * @param marks whether packets are ECN-capable, so that the server's marks reach the clients
 * @param tells whether answers tell of the server's pressure
 * @param sheds whether the server refuses beyond its hard limit
 * @param gate makes a client's gate
 */
public record Policy(String name, boolean marks, boolean tells, boolean sheds, Function<NanoClock, Gate> gate) {
    public static final Policy NONE = new Policy("none", false, false, false, clock -> Gate.none());
    public static final Policy SHED = new Policy("shed", false, false, true, clock -> Gate.none());
    public static final Policy AETHER = new Policy("aether", true, true, true, AetherGate::new);
    /** On a path that bleaches marks. */
    public static final Policy AETHER_BLEACHED = new Policy("aether-no-ecn", false, false, true, AetherGate::new);
    /** On such a path too, but the server tells of its pressure in the header of its answers. */
    public static final Policy AETHER_HEADER = new Policy("aether-header", false, true, true, AetherGate::new);
}

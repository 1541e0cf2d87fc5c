// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.hedge;

import io.aether.core.pick.Mode;
import io.aether.starter.balancer.ModeSwitches;
import java.util.Map;

/** Whether calls are hedged: {@link Mode#ON} they are, {@link Mode#OBSERVE} it is counted which would be, {@link Mode#OFF} none is watched. */
public final class HedgeSwitches extends ModeSwitches {

    /** Creates the switches with the modes of the configuration. */
    public HedgeSwitches(Mode common, Map<String, Mode> overrides) {
        super(common, overrides);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import io.aether.core.pick.Mode;
import io.aether.starter.balancer.ModeSwitches;
import java.util.Map;

/** Whether requests are held back: {@link Mode#ON} they are, {@link Mode#OBSERVE} it is counted which would be, {@link Mode#OFF} nobody asks. */
public final class LimitSwitches extends ModeSwitches {

    /** Creates the switches with the modes of the configuration. */
    public LimitSwitches(Mode common, Map<String, Mode> overrides) {
        super(common, overrides);
    }
}

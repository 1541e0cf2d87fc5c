// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import io.aether.core.pick.Mode;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Whether requests are held back: {@link Mode#ON} they are, {@link Mode#OBSERVE} it is counted which would be, {@link
 * Mode#OFF} nobody asks. For all services and for single ones, changed at run time. Thread-safe; reading takes no lock.
 */
public final class LimitSwitches {
    private volatile Mode common;
    private final Map<String, Mode> overrides = new ConcurrentHashMap<>();

    /** Creates the switches with the modes of the configuration. */
    public LimitSwitches(Mode common, Map<String, Mode> overrides) {
        this.common = common;
        this.overrides.putAll(overrides);
    }

    /** The mode of services that set none. */
    public Mode common() {
        return common;
    }

    /** The mode of one service. */
    public Mode of(String service) {
        return overrides.isEmpty() ? common : overrides.getOrDefault(service, common);
    }

    /** Changes the common mode. */
    public void change(Mode mode) {
        common = mode;
    }

    /** Changes one service's mode. */
    public void change(String service, Mode mode) {
        overrides.put(service, mode);
    }
}

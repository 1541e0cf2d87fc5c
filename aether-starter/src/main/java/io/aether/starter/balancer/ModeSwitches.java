// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.balancer;

import io.aether.core.pick.Mode;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A mode for all services and for single ones, changed at run time. Thread-safe; reading takes no lock. */
public class ModeSwitches {
    private volatile Mode common;
    private final Map<String, Mode> overrides = new ConcurrentHashMap<>();

    /** Creates the switches with the modes of the configuration. */
    protected ModeSwitches(Mode common, Map<String, Mode> overrides) {
        this.common = common;
        this.overrides.putAll(overrides);
    }

    /** The mode of services that set none. */
    public final Mode common() {
        return common;
    }

    /** The mode of one service. */
    public final Mode of(String service) {
        return overrides.isEmpty() ? common : overrides.getOrDefault(service, common);
    }

    /** Changes the common mode. */
    public final void change(Mode mode) {
        common = mode;
    }

    /** Changes one service's mode. */
    public final void change(String service, Mode mode) {
        overrides.put(service, mode);
    }
}

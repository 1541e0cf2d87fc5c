// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.testing;

import io.aether.core.NanoClock;
import io.aether.core.pick.KernelView;
import io.aether.core.pick.Mode;
import io.aether.core.pick.PickSettings;
import io.aether.core.pick.Signals;
import io.aether.starter.balancer.Policy;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.balancer.Switches;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;

/** Instances and fleets without servers behind them. */
public final class Instances {

    private Instances() {}

    /** Instances of {@code shop} on ports from 1001 up. */
    public static List<ServiceInstance> of(int count) {
        List<ServiceInstance> instances = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            instances.add(one(1000 + i));
        }
        return instances;
    }

    public static ServiceInstance one(int port) {
        return new DefaultServiceInstance(null, Apps.SERVICE, "10.0.0.1", port, false);
    }

    public static ServiceFleets fleets(Mode mode, NanoClock clock) {
        Switches switches = new Switches(new Policy(mode, Signals.APPLICATION), Map.of());
        return new ServiceFleets(switches, PickSettings.defaults(), clock, KernelView.NONE, 8);
    }
}

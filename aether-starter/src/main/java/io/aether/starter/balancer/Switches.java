// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.balancer;

import io.aether.core.pick.Mode;
import io.aether.core.pick.Signals;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The policy in force, for all services and for single ones, changed at run time. A service follows the common policy in
 * whatever it does not set itself. Thread-safe; reading takes no lock.
 */
public final class Switches {

    private volatile Policy common;
    private final Map<String, Override> overrides = new ConcurrentHashMap<>();

    /** What one service sets for itself; null follows the common policy. */
    public record Override(@Nullable Mode mode, @Nullable Signals signals) {}

    /** Creates the switches with the policies of the configuration. */
    public Switches(Policy common, Map<String, Override> overrides) {
        this.common = common;
        this.overrides.putAll(overrides);
    }

    /** The policy that services follow which set none. */
    public Policy common() {
        return common;
    }

    /** The policy of one service. */
    public Policy of(String service) {
        Policy base = common;
        Override own = overrides.isEmpty() ? null : overrides.get(service);
        return own == null
                ? base
                : new Policy(
                        own.mode() == null ? base.mode() : own.mode(),
                        own.signals() == null ? base.signals() : own.signals());
    }

    /** Changes the common policy; null leaves a part as it is. */
    public synchronized void change(@Nullable Mode mode, @Nullable Signals signals) {
        common = new Policy(mode == null ? common.mode() : mode, signals == null ? common.signals() : signals);
    }

    /** Changes one service's policy; null leaves a part as it is. */
    public void change(String service, @Nullable Mode mode, @Nullable Signals signals) {
        overrides.merge(
                service,
                new Override(mode, signals),
                (old, fresh) -> new Override(
                        fresh.mode() == null ? old.mode() : fresh.mode(),
                        fresh.signals() == null ? old.signals() : fresh.signals()));
    }
}

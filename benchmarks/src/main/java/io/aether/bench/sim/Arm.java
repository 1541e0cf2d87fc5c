// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim;

import io.aether.bench.sim.policy.AetherPick;
import io.aether.bench.sim.policy.C3;
import io.aether.bench.sim.policy.DubboAdaptive;
import io.aether.bench.sim.policy.FinagleEwma;
import io.aether.bench.sim.policy.LeastRequest;
import io.aether.bench.sim.policy.LinkerdEwma;
import io.aether.bench.sim.policy.OrcaWeights;
import io.aether.bench.sim.policy.Policy;
import io.aether.bench.sim.policy.Prequal;
import io.aether.bench.sim.policy.RandomPick;
import io.aether.bench.sim.policy.RoundRobin;
import io.aether.core.pick.Fleet;
import io.aether.core.pick.KernelView;
import io.aether.core.pick.PickSettings;
import io.aether.core.pick.Signals;
import java.util.Locale;

/** A policy under test. */
enum Arm {
    ROUND_ROBIN,
    RANDOM,
    LEAST_REQUEST,
    FINAGLE,
    LINKERD,
    DUBBO_ADAPTIVE,
    ORCA_WRR,
    C3,
    PREQUAL,
    AETHER_APPLICATION,
    AETHER_KERNEL,
    /** Both once more, where servers do not run the starter, or {@code aether.server.tell-load} is off. */
    AETHER_APPLICATION_UNTOLD,
    AETHER_KERNEL_UNTOLD;

    /** As in the rows. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    boolean ours() {
        return label().startsWith("aether");
    }

    /** The balancer of one client on {@code node}. */
    Policy policy(Agenda clock, Chance dice, int clients, Node node, Policy.Network network) {
        return switch (this) {
            case ROUND_ROBIN -> new RoundRobin(dice);
            case RANDOM -> new RandomPick(dice);
            case LEAST_REQUEST -> new LeastRequest(dice);
            case FINAGLE -> new FinagleEwma(dice);
            case LINKERD -> new LinkerdEwma(dice);
            case DUBBO_ADAPTIVE -> new DubboAdaptive(dice);
            case ORCA_WRR -> new OrcaWeights(dice);
            case C3 -> new C3(dice, clients);
            case PREQUAL -> new Prequal(dice, clock, network);
            case AETHER_APPLICATION -> aether(clock, dice, KernelView.NONE, Signals.APPLICATION, true);
            case AETHER_APPLICATION_UNTOLD -> aether(clock, dice, KernelView.NONE, Signals.APPLICATION, false);
            case AETHER_KERNEL -> aether(clock, dice, view(node), Signals.KERNEL, true);
            case AETHER_KERNEL_UNTOLD -> aether(clock, dice, view(node), Signals.KERNEL, false);
        };
    }

    private static KernelView view(Node node) {
        return (instance, into) -> node.read(instance.key().port(), into);
    }

    private static Policy aether(Agenda clock, Chance dice, KernelView view, Signals signals, boolean told) {
        return new AetherPick(new Fleet("service", PickSettings.defaults(), clock, dice, view), signals, told);
    }
}

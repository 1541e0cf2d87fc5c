// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import java.util.List;

/** One way of balancing, switched at run time in every process alike. */
enum Arm {
    ROUND_ROBIN("round-robin", "off", "application", "off"),
    APPLICATION("application", "on", "application", "off"),
    KERNEL("kernel", "on", "kernel", "off"),
    KERNEL_HEDGE("kernel-hedge", "on", "kernel", "on");

    private final String label;
    private final String mode;
    private final String signals;
    private final String hedge;

    Arm(String label, String mode, String signals, String hedge) {
        this.label = label;
        this.mode = mode;
        this.signals = signals;
        this.hedge = hedge;
    }

    /** Name in tables, reports and JSON. */
    String label() {
        return label;
    }

    /** Body of the request to the actuator's {@code aether} endpoint that switches a process to this arm. */
    String switchBody() {
        return "{\"mode\":\"%s\",\"signals\":\"%s\",\"hedge\":\"%s\"}".formatted(mode, signals, hedge);
    }

    /** The same as arguments of a process that starts while this arm runs. */
    List<String> arguments() {
        return List.of("--aether.mode=" + mode, "--aether.signals=" + signals, "--aether.hedge.mode=" + hedge);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

/** One way of balancing, switched at run time in every process alike. */
enum Arm {
    ROUND_ROBIN("round-robin", "{\"mode\":\"off\"}"),
    APPLICATION("application", "{\"mode\":\"on\",\"signals\":\"application\"}"),
    KERNEL("kernel", "{\"mode\":\"on\",\"signals\":\"kernel\"}");

    private final String label;
    private final String switchBody;

    Arm(String label, String switchBody) {
        this.label = label;
        this.switchBody = switchBody;
    }

    /** Name in tables, reports and JSON. */
    String label() {
        return label;
    }

    /** Body of the request to the actuator's {@code aether} endpoint that switches a process to this arm. */
    String switchBody() {
        return switchBody;
    }
}

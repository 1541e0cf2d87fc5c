// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.dag;

/** Whether overload is held back: limiters and the servers' refusals together, switched in every process at run time. */
enum Limits {
    OFF,
    ON;

    /** Name in tables, reports and rows. */
    String label() {
        return this == ON ? "on" : "off";
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

/** Who decides where a request goes. */
public enum Mode {
    /** The framework's own balancer; Aether does nothing. */
    OFF,
    /** The framework's own balancer; Aether decides too and records what it would have done. */
    OBSERVE,
    /** Aether. */
    ON
}

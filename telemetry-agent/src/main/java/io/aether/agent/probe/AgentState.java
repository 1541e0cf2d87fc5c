// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.probe;

/** What the agent as a whole does. */
public enum AgentState {
    /** Not there yet. */
    STARTING,
    /** Every enabled probe is attached. */
    WATCHING,
    /** The table is written, but some probe could not be attached. */
    DEGRADED,
    /** Nothing is written: no native library for this system, or the kernel refuses. Applications do without. */
    UNAVAILABLE,
    /** Nothing is written: the table's file cannot be. */
    TABLE_UNWRITABLE,
    /** Nothing is written any more: the pump ended though nobody stopped it. */
    PUMP_ENDED,
    /** Stopped on request. */
    STOPPED
}

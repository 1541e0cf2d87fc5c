// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

/** How the wait for a request's first byte ended. */
public enum Outcome {
    /** An answer that says the instance works; 4xx other than 429 included. */
    SUCCESS,
    /** An answer or an error that says it does not: 5xx, 429, timeout, reset. */
    FAILURE,
    /** The caller lost patience. The time it waited is a lower bound of the latency, and counts when it is longer. */
    CANCELLED,
    /** Says nothing of the instance, such as a long poll or a protocol upgrade. */
    IGNORED
}

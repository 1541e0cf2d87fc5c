// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

/** What a branch's limiter said of an attempt. */
public enum Ruling {
    /** Nothing: it is off, or the branch has none. */
    OFF,
    /** It may be sent. */
    PASSED,
    /** In mode observe: it was sent, and would have been held back. */
    SPARED,
    /** The branch is overloaded: it was held back. */
    HELD,
    /** Nobody waits for the answer any more: it was not sent. */
    LATE
}

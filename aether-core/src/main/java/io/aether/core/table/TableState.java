// SPDX-License-Identifier: Apache-2.0
package io.aether.core.table;

/** What an application can expect of the health table at the moment. */
public enum TableState {
    /** No file: no agent has run here. */
    ABSENT,
    /** A file that is not a table of this version and this boot, or that may not be read. */
    CORRUPT,
    /** A good table whose writer is gone. */
    STALE,
    /** A good table with a fresh heartbeat. */
    LIVE
}

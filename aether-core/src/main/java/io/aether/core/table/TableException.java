// SPDX-License-Identifier: Apache-2.0
package io.aether.core.table;

/** The health table cannot be used. The message names the file, what is wrong with it, and what to do. */
public final class TableException extends Exception {
    /** Whether the file is simply not there, as on a machine without an agent. */
    private final boolean absent;

    TableException(String message, boolean absent) {
        super(message);
        this.absent = absent;
    }

    /** True when there is no file: no agent runs here. False when there is one that cannot be read. */
    public boolean absent() {
        return absent;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.probe;

import java.nio.file.Path;

/** The health table cannot be created or written; the message names the file and the cause. */
class TableUnwritableException extends Exception {
    private static final long serialVersionUID = 1;

    TableUnwritableException(Path table, String cause) {
        super("the health table " + table + " cannot be written (" + cause + ")");
    }
}

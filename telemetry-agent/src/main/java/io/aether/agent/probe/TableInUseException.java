// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.probe;

import java.nio.file.Path;

/** Another agent writes this health table; one table has one writer. */
public class TableInUseException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TableInUseException(Path table, String holder) {
        super("the health table " + table + " is written by another agent (" + holder + ")");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.table;

import io.aether.core.table.TableSource;
import io.aether.core.table.TableState;
import java.util.EnumSet;
import java.util.Set;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Says in the log what the table's state means for the application: once for each state that is new, and again when the table
 * is back.
 */
public final class TableReport {

    private static final Log LOG = LogFactory.getLog(TableReport.class);

    private final TableSource table;
    private final Set<TableState> said = EnumSet.noneOf(TableState.class);
    private @Nullable TableState last;

    /** Creates the report. */
    public TableReport(TableSource table) {
        this.table = table;
    }

    /** Looks at the table and says what is new. Called by one thread at a time. */
    public void refresh() {
        table.refresh();
        TableState state = table.state();
        if (state == last) {
            return;
        }
        last = state;
        if (!said.add(state)) {
            return;
        }
        switch (state) {
            case LIVE -> LOG.info("Reading the kernel's view of instances from " + table.file());
            case ABSENT -> LOG.info("Aether picks on application signals alone. " + table.reason());
            case CORRUPT, STALE -> LOG.warn("Aether picks on application signals alone. " + table.reason());
        }
    }
}

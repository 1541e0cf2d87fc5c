// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.table;

import io.aether.core.table.TableSource;
import io.aether.core.table.TableState;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Says in the log what the table's state means for the application: once for each state that is new, and again when the table
 * is back.
 */
public final class TableReport {

    private static final Logger LOG = LoggerFactory.getLogger(TableReport.class);

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
            case LIVE -> say(Level.INFO, state, "Reading the kernel's view of instances from " + table.file());
            case ABSENT -> say(Level.INFO, state, "Aether picks on application signals alone. " + table.reason());
            case CORRUPT, STALE ->
                say(Level.WARN, state, "Aether picks on application signals alone. " + table.reason());
        }
    }

    private void say(Level level, TableState state, String what) {
        LOG.atLevel(level)
                .addKeyValue("aether.table.state", state.name().toLowerCase(Locale.ROOT))
                .addKeyValue("aether.table.path", table.file())
                .log(what);
    }
}

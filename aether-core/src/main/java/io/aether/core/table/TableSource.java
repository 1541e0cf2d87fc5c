// SPDX-License-Identifier: Apache-2.0
package io.aether.core.table;

import io.aether.core.NanoClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The table an application reads at the moment: opens it when it appears, again when it is replaced, and withholds it
 * while its writer is dead. One per application. {@link #current()} may be called by any thread; {@link #refresh()} is
 * called by a scheduler of the host, every 100 ms to 1 s.
 */
public final class TableSource implements AutoCloseable {
    private final Path file;
    private final NanoClock clock;
    private final long netns;

    private volatile Status status;
    private @Nullable HealthTable mapped;
    private @Nullable Object identity;
    private volatile long reopened;

    private record Status(
            TableState state, String reason, @Nullable HealthTable table, long heartbeatAgeNanos) {}

    /**
     * @param file the table's path; need not exist yet
     * @param netns the namespace whose view of its peers is read, see {@link NetworkNamespace#inodeOfSelf()}
     */
    public TableSource(Path file, NanoClock clock, long netns) {
        this.file = file;
        this.clock = clock;
        this.netns = netns;
        this.status = new Status(TableState.ABSENT, "Health table " + file + " was not looked for yet", null, -1);
    }

    /** Looks at the file and its heartbeat, and reopens it if need be. Never throws. */
    public synchronized void refresh() {
        try {
            reopenIfReplaced();
        } catch (TableException e) {
            drop();
            status = new Status(e.absent() ? TableState.ABSENT : TableState.CORRUPT, reason(e), null, -1);
            return;
        }
        HealthTable table = Objects.requireNonNull(mapped);
        long age = table.heartbeatAgeNanos();
        if (table.alive()) {
            status = new Status(TableState.LIVE, "", table, age);
        } else {
            String since = age == Long.MAX_VALUE ? "has stopped" : "was last seen " + age / 1_000_000 + " ms ago";
            String reason = "The agent that writes health table " + file + " " + since + ": start it again";
            status = new Status(TableState.STALE, reason, null, age);
        }
    }

    private void reopenIfReplaced() throws TableException {
        Object present = identify();
        if (mapped != null && present != null && present.equals(identity)) {
            return;
        }
        drop();
        mapped = HealthTable.open(file, clock);
        identity = present;
        reopened++;
    }

    /**
     * What changes when another file takes the path: inode and device, and the size, so that a table that somebody cut
     * short is closed within one refresh.
     */
    private @Nullable Object identify() {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return attributes.fileKey() + "/" + attributes.size();
        } catch (IOException | SecurityException e) {
            return null;
        }
    }

    private void drop() {
        if (mapped != null) {
            mapped.close();
        }
        mapped = null;
        identity = null;
    }

    private static String reason(TableException e) {
        return Objects.requireNonNullElse(e.getMessage(), "unreadable");
    }

    /** The table while it is {@link TableState#LIVE}, else null. */
    public @Nullable HealthTable current() {
        return status.table();
    }

    /** As of the last refresh. */
    public TableState state() {
        return status.state();
    }

    /** Why the state is not LIVE and what to do about it; empty when it is. */
    public String reason() {
        return status.reason();
    }

    /** The heartbeat's age at the last refresh in ns; -1 without a table, {@link Long#MAX_VALUE} after a clean stop. */
    public long heartbeatAgeNanos() {
        return status.heartbeatAgeNanos();
    }

    /** How often a table was opened. */
    public long opened() {
        return reopened;
    }

    public long netns() {
        return netns;
    }

    public Path file() {
        return file;
    }

    @Override
    public synchronized void close() {
        drop();
        status = new Status(TableState.ABSENT, "closed", null, -1);
    }
}

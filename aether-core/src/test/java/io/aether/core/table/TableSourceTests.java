// SPDX-License-Identifier: Apache-2.0
package io.aether.core.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableSourceTests {
    @TempDir
    private Path directory;

    private Path file;
    private long now = 5_000_000_000L;
    private TableSource source;

    @BeforeEach
    void set() {
        file = directory.resolve("health");
        source = new TableSource(file, () -> now, 1);
    }

    private void replace(long start) throws Exception {
        Path fresh = directory.resolve("health.new");
        TableFile.create(fresh, 64, start);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }

    @Test
    void followsTheAgentThroughItsLife() throws Exception {
        source.refresh();
        assertThat(source.state()).isEqualTo(TableState.ABSENT);
        assertThat(source.reason()).contains(file.toString()).contains("start the Aether agent");
        assertThat(source.current()).isNull();

        TableFile agent = TableFile.create(file, 64, now);
        source.refresh();
        assertThat(source.state()).isEqualTo(TableState.LIVE);
        assertThat(source.reason()).isEmpty();
        assertThat(source.current()).isNotNull();

        now += 2_000_000_000L;
        source.refresh();
        assertThat(source.state()).isEqualTo(TableState.STALE);
        assertThat(source.reason()).contains("2000 ms ago");
        assertThat(source.current()).isNull();

        agent.heartbeat(0);
        source.refresh();
        assertThat(source.reason()).contains("has stopped");

        agent.heartbeat(now);
        source.refresh();
        assertThat(source.state()).isEqualTo(TableState.LIVE);
        assertThat(source.opened()).isEqualTo(1);
    }

    @Test
    void opensTheTableOfANewAgent() throws Exception {
        TableFile.create(file, 64, now);
        source.refresh();
        HealthTable first = source.current();
        now += 10;
        replace(now);
        source.refresh();

        assertThat(source.current()).isNotNull().isNotSameAs(first);
        assertThat(source.opened()).isEqualTo(2);
    }

    @Test
    void dropsATableThatIsRemovedOrSpoilt() throws Exception {
        TableFile.create(file, 64, now);
        source.refresh();
        Files.delete(file);
        source.refresh();
        assertThat(source.state()).isEqualTo(TableState.ABSENT);

        Files.writeString(file, "not a table");
        source.refresh();
        assertThat(source.state()).isEqualTo(TableState.CORRUPT);
        assertThat(source.reason()).contains("truncated");

        replace(now);
        source.refresh();
        assertThat(source.state()).isEqualTo(TableState.LIVE);
    }
}

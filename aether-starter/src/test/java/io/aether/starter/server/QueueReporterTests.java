// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.pick.Mode;
import io.aether.core.publish.QueueLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueueReporterTests {

    @TempDir
    private Path temporary;

    private final FakeClock clock = new FakeClock();
    private final ServerLoad load = new ServerLoad();
    private final CpuQueue cpu = new CpuQueue(load, () -> 0, () -> 0, 2);
    private final OwnQueue queue = new OwnQueue(load, cpu, clock);
    private final ServerGate gate = new ServerGate(load, Mode.ON, 200e6);
    private QueueReporter reporter;

    @AfterEach
    void close() {
        if (reporter != null) {
            reporter.destroy();
        }
    }

    private Path apps() {
        return temporary.resolve("apps");
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> list = Files.list(apps())) {
            return list.toList();
        }
    }

    /** As the pump reads it: all at once. */
    private ByteBuffer read() throws IOException {
        byte[] bytes = Files.readAllBytes(files().get(0));
        assertThat(bytes).hasSize(QueueLayout.SIZE);
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Test
    void tellsInTheLayoutOfThePump() throws IOException {
        Files.createDirectory(apps());
        reporter = new QueueReporter(apps(), clock);
        reporter.serving(8080);
        reporter.open();
        queue.workedBy(workers(20, 8));
        for (int i = 0; i <= ServerLoad.COLD; i++) {
            answered(20);
        }
        running();
        reporter.tell(load, queue, gate, clock.nanos());
        ByteBuffer told = read();
        assertThat(told.getLong(QueueLayout.MAGIC_OFFSET)).isEqualTo(QueueLayout.MAGIC);
        assertThat(told.getInt(QueueLayout.VERSION_OFFSET)).isEqualTo(QueueLayout.VERSION);
        assertThat(told.getInt(QueueLayout.SEQ_OFFSET) & 1).isZero();
        assertThat(told.getInt(QueueLayout.PORT_COUNT_OFFSET)).isOne();
        assertThat(told.getShort(QueueLayout.PORTS_OFFSET)).isEqualTo((short) 8080);
        assertThat(told.getLong(QueueLayout.TIME_NS_OFFSET)).isEqualTo(clock.nanos());
        assertThat(told.getInt(QueueLayout.RUNNING_OFFSET)).isOne();
        assertThat(told.getInt(QueueLayout.WAITING_OFFSET)).isEqualTo(20);
        assertThat(told.getInt(QueueLayout.EST_WAIT_US_OFFSET)).isEqualTo(50_000);
        assertThat(told.getInt(QueueLayout.MARK_FROM_US_OFFSET)).isEqualTo(20_000);
        assertThat(told.getInt(QueueLayout.MARK_ALL_US_OFFSET)).isEqualTo(60_000);
        assertThat(told.get(QueueLayout.PRESSURE_OFFSET) & 0xff).isEqualTo(159);
    }

    private static Workers workers(int waiting, int most) {
        return new Workers() {
            @Override
            public int waiting() {
                return waiting;
            }

            @Override
            public int most() {
                return most;
            }
        };
    }

    private void answered(double millis) {
        ServerRequest request = new ServerRequest(load, clock);
        request.begin();
        clock.pass(millis);
        request.end(true);
        load.held((long) (millis * 1e6));
    }

    private void running() {
        new ServerRequest(load, clock).begin();
    }

    @Test
    void withoutADirectoryItGoesOnAndLooksAgain() throws IOException {
        reporter = new QueueReporter(apps(), clock);
        reporter.serving(8080);
        reporter.open();
        reporter.open();
        assertThat(reporter.telling()).isFalse();
        reporter.tell(load, queue, gate, clock.nanos());
        Files.createDirectory(apps());
        reporter.open();
        assertThat(reporter.telling()).isTrue();
    }

    @Test
    void aFileThatWasTakenAwayIsMadeAgain() throws IOException {
        Files.createDirectory(apps());
        reporter = new QueueReporter(apps(), clock);
        reporter.serving(8080);
        reporter.open();
        Files.delete(files().get(0));
        reporter.open();
        assertThat(files()).hasSize(1);
        reporter.open();
        assertThat(files()).hasSize(1);
    }

    @Test
    void nothingIsLeftWhenTheServerEndsOrOnlyObserves() throws IOException {
        Files.createDirectory(apps());
        reporter = new QueueReporter(apps(), clock);
        reporter.serving(8080);
        ServerWatch watch = new ServerWatch(load, queue, cpu, gate, reporter, clock);
        watch.lookForAgent();
        assertThat(files()).hasSize(1);
        gate.mode(Mode.OBSERVE);
        watch.lookForAgent();
        assertThat(files()).isEmpty();
        gate.mode(Mode.ON);
        watch.lookForAgent();
        watch.tick();
        assertThat(files()).hasSize(1);
        reporter.destroy();
        reporter.open();
        assertThat(files()).isEmpty();
    }

    @Test
    void aServerWithoutAPortTellsNothing() throws IOException {
        Files.createDirectory(apps());
        reporter = new QueueReporter(apps(), clock);
        reporter.serving(-1);
        reporter.open();
        assertThat(files()).isEmpty();
    }
}

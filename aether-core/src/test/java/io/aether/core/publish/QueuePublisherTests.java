// SPDX-License-Identifier: Apache-2.0
package io.aether.core.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS)
class QueuePublisherTests {
    @TempDir
    Path directory;

    private QueuePublisher open(int... ports) throws IOException {
        return QueuePublisher.open(directory, () -> 77, ports);
    }

    /** Without opening the file a second time in the usual way: its lock has to stay. */
    private static ByteBuffer read(Path file) throws IOException {
        return ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Test
    void writesWhatTheAgentReads() throws IOException {
        try (QueuePublisher publisher = open(8080, 65535)) {
            publisher.thresholds(7_000, 80_000);
            assertThat(publisher.publish(8, 30, 25_000, 200)).isTrue();

            ByteBuffer app = read(publisher.file());
            assertThat(app.capacity()).isEqualTo(QueueLayout.SIZE);
            assertThat(app.getLong(QueueLayout.MAGIC_OFFSET)).isEqualTo(QueueLayout.MAGIC);
            assertThat(app.getInt(QueueLayout.VERSION_OFFSET)).isEqualTo(QueueLayout.VERSION);
            assertThat(app.getInt(QueueLayout.SIZE_OFFSET)).isEqualTo(QueueLayout.SIZE);
            assertThat(app.getInt(QueueLayout.PORT_COUNT_OFFSET)).isEqualTo(2);
            assertThat(app.getShort(QueueLayout.PORTS_OFFSET)).isEqualTo((short) 8080);
            assertThat(app.getShort(QueueLayout.PORTS_OFFSET + 2)).isEqualTo((short) 65535);
            assertThat(app.getInt(QueueLayout.SEQ_OFFSET)).isEqualTo(2);
            assertThat(app.getLong(QueueLayout.TIME_NS_OFFSET)).isEqualTo(77);
            assertThat(app.getInt(QueueLayout.RUNNING_OFFSET)).isEqualTo(8);
            assertThat(app.getInt(QueueLayout.WAITING_OFFSET)).isEqualTo(30);
            assertThat(app.getInt(QueueLayout.EST_WAIT_US_OFFSET)).isEqualTo(25_000);
            assertThat(app.getInt(QueueLayout.MARK_FROM_US_OFFSET)).isEqualTo(7_000);
            assertThat(app.getInt(QueueLayout.MARK_ALL_US_OFFSET)).isEqualTo(80_000);
            assertThat(app.get(QueueLayout.PRESSURE_OFFSET)).isEqualTo((byte) 200);
        }
    }

    @Test
    void boundsWhatCannotBe() throws IOException {
        try (QueuePublisher publisher = open(8080)) {
            publisher.publish(-1, -5, Long.MAX_VALUE, 1000);

            ByteBuffer app = read(publisher.file());
            assertThat(app.getInt(QueueLayout.RUNNING_OFFSET)).isZero();
            assertThat(app.getInt(QueueLayout.WAITING_OFFSET)).isZero();
            assertThat(app.getInt(QueueLayout.EST_WAIT_US_OFFSET)).isEqualTo(Integer.MAX_VALUE);
            assertThat(app.get(QueueLayout.PRESSURE_OFFSET)).isEqualTo((byte) 255);
        }
    }

    @Test
    void deletesItsFileAndOutlivesThat() throws IOException {
        QueuePublisher publisher = open(8080);
        assertThat(Files.getPosixFilePermissions(publisher.file()))
                .isEqualTo(PosixFilePermissions.fromString("rw-r--r--"));
        publisher.close();
        publisher.close();
        assertThat(directory).isEmptyDirectory();
        assertThat(publisher.publish(1, 1, 1, 1)).isTrue();
    }

    @Test
    void namesWhatIsWrong() {
        assertThatThrownBy(this::open).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> open(0)).hasMessageContaining("no port: 0");
        assertThatThrownBy(() -> open(1, 2, 3, 4, 5, 6, 7, 8, 9)).hasMessageContaining("not 9");
        assertThatThrownBy(() -> QueuePublisher.open(directory.resolve("missing"), () -> 1, 8080))
                .isInstanceOf(NoSuchFileException.class);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void leavesNoTornWordBehindWhenManyThreadsUpdate() throws Exception {
        try (QueuePublisher publisher = open(8080)) {
            Thread[] writers = new Thread[4];
            for (int i = 0; i < writers.length; i++) {
                int value = i + 1;
                writers[i] = new Thread(() -> {
                    for (int n = 0; n < 20_000; n++) {
                        publisher.publish(value, value, value, value);
                    }
                });
                writers[i].start();
            }
            for (Thread writer : writers) {
                writer.join();
            }
            ByteBuffer app = read(publisher.file());
            int running = app.getInt(QueueLayout.RUNNING_OFFSET);
            assertThat(running).isBetween(1, 4);
            assertThat(app.getInt(QueueLayout.WAITING_OFFSET)).isEqualTo(running);
            assertThat(app.getInt(QueueLayout.EST_WAIT_US_OFFSET)).isEqualTo(running);
            assertThat((int) app.get(QueueLayout.PRESSURE_OFFSET)).isEqualTo(running);
            assertThat(app.getInt(QueueLayout.SEQ_OFFSET) & 1).isZero();
        }
    }

    @Test
    void allocatesNothing() throws IOException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (QueuePublisher publisher = open(8080)) {
            for (int i = 0; i < 20_000; i++) {
                publisher.publish(i, i, i, i);
            }
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 20_000; i++) {
                publisher.publish(i, i, i, i);
            }
            // The call that measures may itself leave a little behind.
            assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(20_000);
        }
    }
}

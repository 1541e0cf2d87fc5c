// SPDX-License-Identifier: Apache-2.0
package io.aether.core.publish;

import io.aether.core.NanoClock;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * An application's own queue, told to the node's agent through a small mapped file. The agent takes the word for its
 * kernel's marks, for the table, and for peers on other nodes.
 *
 * <p>Thread-safe and lock-free; an update costs no call into the kernel and allocates nothing. Of two threads that update
 * at once one is left out, so whoever publishes must do so again soon: at least twice a second, since what is older than a
 * second counts for nothing.
 *
 * <p>The file is locked for as long as it is open: by the lock the agent knows which process writes, and that it lives. A
 * process must therefore not open the file once more (POSIX locks end with any descriptor of the file). {@link #close}
 * deletes it; the agent deletes those of processes that were killed.
 */
public final class QueuePublisher implements AutoCloseable {
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int MOST_PRESSURE = 255;

    private final Path file;
    private final FileChannel channel;
    private final ByteBuffer buffer;
    private final NanoClock clock;
    private volatile int markFromMicros;
    private volatile int markAllMicros;

    private QueuePublisher(Path file, FileChannel channel, ByteBuffer buffer, NanoClock clock) {
        this.file = file;
        this.channel = channel;
        this.buffer = buffer;
        this.clock = clock;
    }

    /**
     * Creates the file.
     *
     * @param directory {@code apps} beside the health table; the agent makes it, so that it is missing while none runs
     * @param ports on which this process serves the requests that it tells of; 1 to {@link QueueLayout#PORTS}
     * @throws IOException when the directory is missing or not writable: try again later
     * @throws IllegalArgumentException for ports that are none
     */
    public static QueuePublisher open(Path directory, NanoClock clock, int... ports) throws IOException {
        ByteBuffer start = header(ports);
        Path file = Files.createTempFile(
                directory,
                "app",
                "",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--")));
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            // Whatever this process's mask is: the agent may have no more rights than anybody.
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
            if (channel.tryLock() == null) {
                throw new IOException("Somebody else has locked " + file);
            }
            // Really allocated: a full file system fails here and never as a signal in an update.
            channel.write(start, 0);
            ByteBuffer buffer = channel.map(FileChannel.MapMode.READ_WRITE, 0, QueueLayout.SIZE);
            buffer.order(ByteOrder.LITTLE_ENDIAN);
            return new QueuePublisher(file, channel, buffer, clock);
        } catch (IOException | RuntimeException e) {
            channel.close();
            Files.deleteIfExists(file);
            throw e;
        }
    }

    private static ByteBuffer header(int... ports) {
        if (ports.length == 0 || ports.length > QueueLayout.PORTS) {
            throw new IllegalArgumentException("1 to " + QueueLayout.PORTS + " ports, not " + ports.length);
        }
        ByteBuffer start = ByteBuffer.allocate(QueueLayout.SIZE).order(ByteOrder.LITTLE_ENDIAN);
        start.putLong(QueueLayout.MAGIC_OFFSET, QueueLayout.MAGIC);
        start.putInt(QueueLayout.VERSION_OFFSET, QueueLayout.VERSION);
        start.putInt(QueueLayout.SIZE_OFFSET, QueueLayout.SIZE);
        start.putInt(QueueLayout.PORT_COUNT_OFFSET, ports.length);
        for (int i = 0; i < ports.length; i++) {
            if (ports[i] <= 0 || ports[i] > 0xffff) {
                throw new IllegalArgumentException("no port: " + ports[i]);
            }
            start.putShort(QueueLayout.PORTS_OFFSET + Short.BYTES * i, (short) ports[i]);
        }
        return start;
    }

    /**
     * The queue waits between which answers of this application are marked, where they are above the agent's own; told with
     * the next update.
     *
     * @param fromMicros such as the median service time; 0 leaves it to the agent
     * @param allMicros such as 0.4 of the latency that is promised; 0 leaves it to the agent
     */
    public void thresholds(long fromMicros, long allMicros) {
        markFromMicros = bounded(fromMicros);
        markAllMicros = bounded(allMicros);
    }

    /**
     * Tells the queue as it is now.
     *
     * @param running requests that are being worked on, without those that wait for other services
     * @param waiting requests that nobody works on yet
     * @param estimatedWaitMicros how long a request that comes now would wait for that
     * @param pressure 0 to 255, where 255 is the limit beyond which requests are refused; 0 leaves it to the wait
     * @return false when another thread was updating at the same time, and this call did nothing
     */
    public boolean publish(int running, int waiting, long estimatedWaitMicros, int pressure) {
        int seq = (int) INT.getVolatile(buffer, QueueLayout.SEQ_OFFSET);
        if ((seq & 1) != 0 || !INT.compareAndSet(buffer, QueueLayout.SEQ_OFFSET, seq, seq + 1)) {
            return false;
        }
        VarHandle.storeStoreFence();
        buffer.putLong(QueueLayout.TIME_NS_OFFSET, clock.nanos());
        buffer.putInt(QueueLayout.RUNNING_OFFSET, bounded(running));
        buffer.putInt(QueueLayout.WAITING_OFFSET, bounded(waiting));
        buffer.putInt(QueueLayout.EST_WAIT_US_OFFSET, bounded(estimatedWaitMicros));
        buffer.putInt(QueueLayout.MARK_FROM_US_OFFSET, markFromMicros);
        buffer.putInt(QueueLayout.MARK_ALL_US_OFFSET, markAllMicros);
        buffer.put(QueueLayout.PRESSURE_OFFSET, (byte) Math.max(0, Math.min(pressure, MOST_PRESSURE)));
        INT.setRelease(buffer, QueueLayout.SEQ_OFFSET, seq + 2);
        return true;
    }

    private static int bounded(long value) {
        return (int) Math.max(0, Math.min(value, Integer.MAX_VALUE));
    }

    /** The file, while it is open. */
    public Path file() {
        return file;
    }

    /** Deletes the file; later updates go nowhere. May be called again. */
    @Override
    public void close() throws IOException {
        Files.deleteIfExists(file);
        channel.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.probe;

import io.aether.core.NanoClock;
import io.aether.core.table.HealthTable;
import io.aether.core.table.TableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * The right to write one health table: a lock on the file {@code TABLE.lock}, which the kernel releases however the
 * process ends, so a killed agent never blocks its successor. The file stays, as removing it would race with a
 * successor that has just opened it.
 */
final class TableLock implements AutoCloseable {
    private final FileChannel channel;

    private TableLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Takes the lock and makes the table's directory where it is missing.
     *
     * @throws TableInUseException when another agent holds it
     * @throws TableUnwritableException when the directory or the file cannot be written
     */
    static TableLock take(Path table) throws TableUnwritableException {
        try {
            makeDirectory(table.toAbsolutePath().getParent());
            Path file = table.resolveSibling(table.getFileName() + ".lock");
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            return lock(table, channel);
        } catch (IOException e) {
            throw new TableUnwritableException(table, reason(e));
        }
    }

    private static TableLock lock(Path table, FileChannel channel) throws IOException {
        FileLock lock = null;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException sameProcess) {
            channel.close();
            throw new TableInUseException(table, "this process");
        }
        if (lock == null) {
            String holder = readHolder(channel);
            channel.close();
            throw new TableInUseException(table, holder);
        }
        channel.truncate(0);
        channel.write(StandardCharsets.US_ASCII.encode(ProcessHandle.current().pid() + "\n"), 0);
        return new TableLock(channel);
    }

    /**
     * Removes a table whose writer was killed less than a second ago, so that its last heartbeat does not pass for a
     * living writer's. Only the holder of the lock may ask.
     */
    static void removeOfKilledWriter(Path table, NanoClock clock) {
        try (HealthTable last = HealthTable.open(table, clock)) {
            long pid = last.writerPid();
            // In a container the successor often has the same process id.
            boolean dead = pid == ProcessHandle.current().pid()
                    || ProcessHandle.of(pid).isEmpty();
            if (last.alive() && dead) {
                Files.deleteIfExists(table);
            }
        } catch (TableException | IOException e) {
            // There is none, or whoever opens it for writing says what is wrong.
        }
    }

    private static void makeDirectory(@Nullable Path directory) throws IOException {
        if (directory != null && !Files.isDirectory(directory)) {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        }
    }

    private static String readHolder(FileChannel channel) throws IOException {
        ByteBuffer pid = ByteBuffer.allocate(20);
        channel.read(pid, 0);
        String text = StandardCharsets.US_ASCII.decode(pid.flip()).toString().strip();
        return text.isEmpty() ? "process unknown" : "process " + text;
    }

    private static String reason(IOException e) {
        if (e instanceof AccessDeniedException denied) {
            return "permission denied for " + denied.getFile();
        }
        if (e instanceof FileAlreadyExistsException file) {
            return file.getFile() + " is not a directory";
        }
        if (e instanceof FileSystemException failed && failed.getReason() != null) {
            return failed.getReason() + ": " + failed.getFile();
        }
        return String.valueOf(e.getMessage());
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException ignored) {
            // The lock ends with the process at the latest.
        }
    }
}

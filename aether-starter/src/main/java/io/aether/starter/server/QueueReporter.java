// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import io.aether.core.NanoClock;
import io.aether.core.limit.Marker;
import io.aether.core.publish.QueuePublisher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;

/**
 * Tells the agent of this node of the server's own queue. The agent's directory may be missing for now or for ever: that is
 * said once, and looked for again. {@link #open} is called on one thread, {@link #tell} on another.
 */
public final class QueueReporter implements DisposableBean {
    private static final Log LOG = LogFactory.getLog(QueueReporter.class);
    private static final int NOT_YET = 0;
    /** What was told stays told for a while: nothing new need not be said at every tick. */
    private static final long REPEAT_NANOS = 200_000_000;

    private final Path directory;
    private final NanoClock clock;
    private volatile int port = NOT_YET;
    private volatile @Nullable QueuePublisher publisher;
    private boolean said;
    private boolean closed;
    private long toldAt;
    private boolean idle;

    /** @param directory the agent's, for the files of applications */
    public QueueReporter(Path directory, NanoClock clock) {
        this.directory = directory;
        this.clock = clock;
    }

    /** The server listens on this port. */
    public void serving(int listening) {
        port = listening > 0 ? listening : NOT_YET;
    }

    /** Makes the file, or makes it again when somebody took it away. May take as long as a file system takes. */
    public synchronized void open() {
        if (closed || port == NOT_YET) {
            return;
        }
        QueuePublisher current = publisher;
        try {
            if (current != null && Files.exists(current.file())) {
                return;
            }
            if (current != null) {
                publisher = null;
                current.close();
            }
            publisher = QueuePublisher.open(directory, clock, port);
            said = false;
            LOG.debug("The queue of port " + port + " is told in " + directory);
        } catch (IOException e) {
            if (!said) {
                LOG.info("The node's agent cannot be told of this server's queue: " + e
                        + ". Requests are still judged by it. Start the agent, or let " + directory
                        + " be written by this process; tried again every 5 s");
                said = true;
            }
        }
    }

    /** Whether somebody may read what is told. */
    public boolean telling() {
        return publisher != null;
    }

    /** Tells the queue as it is now. */
    void tell(ServerLoad load, OwnQueue queue, ServerGate gate, long now) {
        QueuePublisher file = publisher;
        if (file == null) {
            return;
        }
        int running = load.own();
        double wait = queue.waitNanos(now);
        boolean nothing = running == 0 && wait == 0;
        if (nothing && idle && now - toldAt < REPEAT_NANOS) {
            return;
        }
        idle = nothing;
        toldAt = now;
        file.thresholds(micros(load.calmTime().nanos()), micros(Marker.ALL_SHARE * gate.hardLimitNanos()));
        int waiting = queue.waiting();
        file.publish(running, waiting, micros(wait), gate.pressure(wait));
    }

    private static long micros(double nanos) {
        return (long) (nanos / 1000);
    }

    /** Takes the file away: the server's word is over. */
    public synchronized void hush() {
        QueuePublisher current = publisher;
        publisher = null;
        if (current != null) {
            try {
                current.close();
            } catch (IOException e) {
                LOG.debug("The file of the queue stays until the agent removes it", e);
            }
        }
    }

    @Override
    public synchronized void destroy() {
        closed = true;
        hush();
    }
}

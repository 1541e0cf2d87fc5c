// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.stream;

import java.io.IOException;

/** One subscriber's place in the log. For one thread, which {@link #run} keeps until either side ends the stream. */
public final class Subscription implements AutoCloseable {
    /** How long a browser waits before it comes back. */
    private static final int RETRY_MILLIS = 1000;

    private final EdgeStream stream;
    private final EventLog log;
    private final String run;
    private final boolean resumed;
    private long seen;

    Subscription(EdgeStream stream, EventLog log, String run, long seen, boolean resumed) {
        this.stream = stream;
        this.log = log;
        this.run = run;
        this.seen = seen;
        this.resumed = resumed;
    }

    /** Where the text of events goes, and at once. */
    @FunctionalInterface
    public interface Sink {
        void send(String text) throws IOException;
    }

    /**
     * Sends events as they come, and a comment where there are none for a while.
     *
     * @throws IOException when the subscriber is gone
     */
    public void run(Sink sink) throws IOException, InterruptedException {
        sink.send("retry: " + RETRY_MILLIS + "\n" + event(id(seen), "hello", "{\"resumed\":" + resumed + "}"));
        while (true) {
            EventLog.Batch batch = log.after(seen, stream.heartbeat().toMillis());
            StringBuilder text = new StringBuilder();
            if (batch.lost() > 0) {
                stream.lostBySubscriber(batch.lost());
                seen += batch.lost();
                text.append(event(id(seen), "lost", EdgeStream.lost(batch.lost(), "subscriber")));
            }
            for (StreamEvent event : batch.events()) {
                text.append(event(id(event.sequence()), event.name(), event.data()));
                seen = event.sequence();
            }
            if (batch.closed()) {
                sink.send(text.toString());
                return;
            }
            sink.send(text.isEmpty() ? ": alive\n\n" : text.toString());
        }
    }

    private String id(long sequence) {
        return run + "-" + sequence;
    }

    private static String event(String id, String name, String data) {
        return "id: " + id + "\nevent: " + name + "\ndata: " + data + "\n\n";
    }

    @Override
    public void close() {
        stream.ended();
    }
}

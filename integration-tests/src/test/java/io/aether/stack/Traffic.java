// SPDX-License-Identifier: Apache-2.0
package io.aether.stack;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Requests at a fixed rate, each kept with its times and what became of it. Thread-safe. */
final class Traffic implements AutoCloseable {

    /**
     * One request.
     *
     * @param sentNanos when it was sent, as {@link System#nanoTime()} tells
     * @param tookNanos until its answer or failure
     * @param status of the answer, or 0 when there was none
     */
    record Sent(long sentNanos, long tookNanos, int status) {}

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final Queue<Sent> done = new ConcurrentLinkedQueue<>();
    private final HttpRequest request;

    Traffic(String url, int perSecond) {
        request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofSeconds(10))
                .build();
        long period = TimeUnit.SECONDS.toNanos(1) / perSecond;
        var unused = clock.scheduleAtFixedRate(this::send, 0, period, TimeUnit.NANOSECONDS);
    }

    private void send() {
        long sent = System.nanoTime();
        var unused = Web.CLIENT
                .sendAsync(request, HttpResponse.BodyHandlers.discarding())
                .whenComplete((answer, failure) ->
                        done.add(new Sent(sent, System.nanoTime() - sent, failure == null ? answer.statusCode() : 0)));
    }

    /** Requests that have ended so far. */
    List<Sent> done() {
        return List.copyOf(done);
    }

    /** Sends no more; what is under way still ends. */
    @Override
    public void close() {
        clock.shutdownNow();
        try {
            clock.awaitTermination(1, TimeUnit.SECONDS);
            awaitEnds();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** No request outlives its timeout; as soon as half a second brings none, there are none. */
    private void awaitEnds() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(11);
        int seen = -1;
        while (System.nanoTime() < end && seen != done.size()) {
            seen = done.size();
            Thread.sleep(500);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.dag;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Open-loop clients: every request goes out at its time, whatever became of those before. Used by one thread. */
final class Traffic {

    /** When a client gives up, and closes its connection. */
    static final Duration PATIENCE = Duration.ofSeconds(3);

    /** Tells users apart, so that all calls of a request meet the same fate. */
    static final String USER = "X-Customer-Id";

    private static final int USERS = 1000;
    private static final double NANOS = 1e9;
    private static final double MILLIS_PER_NANO = 1e-6;

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();
    private final String url;

    /**
     * @param url the gateway's
     */
    Traffic(String url) {
        this.url = url;
    }

    /**
     * Sends all of them and returns after the last was sent.
     *
     * @param t0 the block's start on the monotonic clock
     * @param answers told of each when it is over, on any thread
     */
    void send(List<Arrival> arrivals, long t0, Consumer<Answer> answers) throws InterruptedException {
        for (Arrival arrival : arrivals) {
            long at = t0 + (long) (arrival.second() * NANOS);
            for (long left = at - System.nanoTime(); left > 0; left = at - System.nanoTime()) {
                LockSupport.parkNanos(left);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
            var unused = http.sendAsync(request(arrival), HttpResponse.BodyHandlers.discarding())
                    .whenComplete((response, error) -> answers.accept(answer(arrival, at, response)));
        }
    }

    private HttpRequest request(Arrival arrival) {
        return HttpRequest.newBuilder(URI.create(url + arrival.flow().path()))
                .header("x-draw", Long.toString(arrival.draw()))
                .header(USER, Long.toString(arrival.draw() % USERS))
                .timeout(PATIENCE)
                .build();
    }

    private static Answer answer(Arrival arrival, long at, @Nullable HttpResponse<Void> response) {
        double millis = (System.nanoTime() - at) * MILLIS_PER_NANO;
        return new Answer(arrival.flow(), arrival.second(), millis, response == null ? 0 : response.statusCode());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers.client;

import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's HTTP client, as Spring's {@code RestClient} uses it, before servers that a picker chooses. Where no connection can be
 * made, another one is asked for, once: nothing was sent, so that is safe, and what clients with balancers of their own and proxies
 * do.
 */
final class PickingClient implements Client {
    private final HttpClient http;
    private final Picker picker;
    private final List<HttpRequest> requests;

    PickingClient(HttpClient http, Picker picker, List<InetSocketAddress> servers) {
        this.http = http;
        this.picker = picker;
        this.requests = servers.stream().map(PickingClient::request).toList();
    }

    private static HttpRequest request(InetSocketAddress server) {
        return HttpRequest.newBuilder(URI.create("http://" + server.getHostString() + ":" + server.getPort() + "/"))
                .timeout(Duration.ofMillis(TIMEOUT_MILLIS))
                .build();
    }

    @Override
    public void send(End end) {
        send(end, Picker.NOBODY, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS));
    }

    /** Both attempts together have the time of one. */
    private void send(End end, int not, long deadline) {
        Picker.Pick pick = picker.pick(not);
        var unused = http.sendAsync(requests.get(pick.server()), HttpResponse.BodyHandlers.discarding())
                .orTimeout(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)
                .whenComplete((answer, failure) -> {
                    if (failure == null) {
                        pick.answered(answer.statusCode());
                        end.answered(answer.statusCode());
                        return;
                    }
                    boolean refused = refused(failure);
                    pick.failed(refused);
                    if (refused && not == Picker.NOBODY) {
                        send(end, pick.server(), deadline);
                    } else {
                        end.failed();
                    }
                });
    }

    /** Also by nobody's answering in time: the starter holds both against an instance alike. */
    private static boolean refused(Throwable failure) {
        @Nullable Throwable cause = failure;
        while (cause != null && !(cause instanceof ConnectException)) {
            cause = cause.getCause();
        }
        return cause != null;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.inflight.webclient;

import io.aether.starter.inflight.Flight;
import io.aether.starter.inflight.Flights;
import io.aether.starter.inflight.Trip;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Counts each attempt that a load-balancer filter sends down, from its start to the end of its body. */
final class TripExchange implements ExchangeFunction {

    private final Trip trip;
    private final ExchangeFunction next;

    private TripExchange(Trip trip, ExchangeFunction next) {
        this.trip = trip;
        this.next = next;
    }

    /** Runs {@code filter} with a new trip in the request and with its attempts counted. */
    static Mono<ClientResponse> run(
            Flights flights,
            ClientRequest request,
            ExchangeFunction next,
            BiFunction<ClientRequest, ExchangeFunction, Mono<ClientResponse>> filter) {
        Trip trip = new Trip(flights);
        ClientRequest marked =
                ClientRequest.from(request).attribute(Trip.ATTRIBUTE, trip).build();
        return filter.apply(marked, new TripExchange(trip, next));
    }

    @Override
    public Mono<ClientResponse> exchange(ClientRequest request) {
        return Mono.defer(() -> {
            Flight flight = trip.begin();
            return flight == null ? next.exchange(request) : watch(next.exchange(request), flight);
        });
    }

    private static Mono<ClientResponse> watch(Mono<ClientResponse> answer, Flight flight) {
        AtomicBoolean bodyTaken = new AtomicBoolean();
        return answer.map(response -> opened(response, flight, bodyTaken))
                .doOnError(error -> {
                    flight.failed(error);
                    flight.end();
                })
                .doOnCancel(() -> {
                    // Downstream operators cancel even after the headers; from then on the body tells the end.
                    if (!bodyTaken.get()) {
                        flight.cancelled();
                        flight.end();
                    }
                });
    }

    private static ClientResponse opened(ClientResponse response, Flight flight, AtomicBoolean bodyTaken) {
        HttpHeaders headers = response.headers().asHttpHeaders();
        flight.answered(
                response.statusCode().value(),
                headers.getFirst(HttpHeaders.RETRY_AFTER),
                headers.getFirst(HttpHeaders.CONTENT_TYPE),
                headers.getContentLength());
        return response.mutate().body(body -> body(body, flight, bodyTaken)).build();
    }

    private static Flux<DataBuffer> body(Flux<DataBuffer> body, Flight flight, AtomicBoolean taken) {
        return body.doOnSubscribe(subscription -> taken.set(true))
                .doOnComplete(flight::arrived)
                .doOnError(flight::failed)
                .doOnCancel(flight::cancelled)
                .doFinally(signal -> flight.end());
    }
}

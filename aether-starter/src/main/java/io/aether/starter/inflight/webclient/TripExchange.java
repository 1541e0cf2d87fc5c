// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.inflight.webclient;

import io.aether.core.score.LoadReport;
import io.aether.core.score.LoadWord;
import io.aether.starter.context.RequestContexts;
import io.aether.starter.hedge.Hedge;
import io.aether.starter.hedge.HedgedMono;
import io.aether.starter.hedge.Hedges;
import io.aether.starter.hedge.NoOtherInstanceException;
import io.aether.starter.inflight.Flight;
import io.aether.starter.inflight.Trip;
import io.aether.starter.limit.Attempt;
import io.aether.starter.limit.NotSentException;
import io.aether.starter.limit.Passage;
import io.micrometer.observation.Observation;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.Response;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientRequestObservationContext;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Counts each attempt that a load-balancer filter sends down, from its start to the end of its body, and lets the branch's
 * limiter say before each whether it may be sent.
 */
final class TripExchange implements ExchangeFunction {

    private final Trip trip;
    private final Passage passage;
    private final ExchangeFunction next;

    private TripExchange(Trip trip, Passage passage, ExchangeFunction next) {
        this.trip = trip;
        this.passage = passage;
        this.next = next;
    }

    /**
     * Runs {@code filter} with a new trip and a new passage in the request, and with its attempts counted; for a call that may be
     * hedged, once more beside it when that is called for.
     */
    static Mono<ClientResponse> run(
            Counting counting,
            ClientRequest request,
            ExchangeFunction next,
            BiFunction<ClientRequest, ExchangeFunction, Mono<ClientResponse>> filter) {
        return Mono.deferContextual(chain -> {
            Trip trip = new Trip(counting.flights());
            Passage passage = counting.limits().call(request.url(), request.headers(), RequestContexts.current(chain));
            tell(chain, passage);
            Mono<ClientResponse> first = attempt(trip, passage, request, next, filter);
            Hedge hedge = isReplayable(request)
                    ? counting.hedges().of(request.method(), request.url(), request.headers(), passage, trip::chosen)
                    : null;
            return hedge == null
                    ? first
                    : new HedgedMono<>(
                            hedge,
                            first,
                            () -> attempt(trip.beside(), passage.beside(), request, next, filter),
                            response -> Flight.isFailure(response.statusCode().value()),
                            response -> response.releaseBody().subscribe());
        });
    }

    /** Lets the observation that the client made of this call find it. */
    private static void tell(ContextView chain, Passage passage) {
        if (chain.getOrDefault(ObservationThreadLocalAccessor.KEY, null) instanceof Observation observation
                && !observation.isNoop()
                && observation.getContext() instanceof ClientRequestObservationContext context) {
            context.put(Passage.class, passage);
        }
    }

    private static Mono<ClientResponse> attempt(
            Trip trip,
            Passage passage,
            ClientRequest request,
            ExchangeFunction next,
            BiFunction<ClientRequest, ExchangeFunction, Mono<ClientResponse>> filter) {
        ClientRequest marked = ClientRequest.from(request)
                .attribute(Trip.ATTRIBUTE, trip)
                .attribute(Passage.ATTRIBUTE, passage)
                .build();
        // Spring's filter asks the balancer when it is called: not before somebody subscribes, who may be cancelled
        // before.
        return Mono.defer(() -> filter.apply(marked, new TripExchange(trip, passage, next)))
                .doFinally(signal -> passage.settle());
    }

    /** A body's inserter does not tell whether it can be run twice, but for the one that inserts none. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isReplayable(ClientRequest request) {
        return request.body() == BodyInserters.empty()
                || Boolean.TRUE.equals(request.attributes().get(Hedges.REPLAYABLE_BODY));
    }

    /** Asks the limiter, and lets {@code balancer} choose an instance if the attempt may be sent. */
    static Mono<Response<ServiceInstance>> ask(Request<?> request, Supplier<Mono<Response<ServiceInstance>>> balancer) {
        Passage passage = Passage.of(request);
        if (passage != null) {
            try {
                passage.ask();
            } catch (NotSentException refused) {
                return Mono.error(refused);
            }
        }
        return balancer.get();
    }

    @Override
    public Mono<ClientResponse> exchange(ClientRequest request) {
        return Mono.defer(() -> {
            if (passage.isBeside() && trip.meetsAvoided()) {
                return Mono.error(new NoOtherInstanceException());
            }
            Flight flight = trip.begin();
            passage.sentTo(trip.chosen());
            return watch(next.exchange(told(request)), flight, passage.current());
        });
    }

    private ClientRequest told(ClientRequest request) {
        return passage.hasContext()
                ? ClientRequest.from(request)
                        .headers(headers -> passage.write(headers::set))
                        .build()
                : request;
    }

    private Mono<ClientResponse> watch(
            Mono<ClientResponse> answer, @Nullable Flight flight, @Nullable Attempt attempt) {
        if (flight == null && attempt == null) {
            return answer;
        }
        AtomicBoolean bodyTaken = new AtomicBoolean();
        return answer.map(response -> opened(response, flight, attempt, bodyTaken))
                .doOnError(error -> {
                    if (flight != null) {
                        flight.failed(error);
                        flight.end();
                    }
                })
                .doOnCancel(() -> {
                    // Downstream operators cancel even after the headers; from then on the body tells the end.
                    if (flight != null && !bodyTaken.get()) {
                        flight.cancelled();
                        flight.end();
                    }
                });
    }

    private ClientResponse opened(
            ClientResponse response, @Nullable Flight flight, @Nullable Attempt attempt, AtomicBoolean bodyTaken) {
        HttpHeaders headers = response.headers().asHttpHeaders();
        if (attempt != null) {
            passage.answered(response.statusCode(), headers);
        }
        if (flight != null) {
            flight.reported(headers.getFirst(LoadReport.HEADER), headers.getFirst(LoadWord.HEADER));
            flight.answered(
                    response.statusCode().value(),
                    headers.getFirst(HttpHeaders.RETRY_AFTER),
                    headers.getFirst(HttpHeaders.CONTENT_TYPE),
                    headers.getContentLength());
        }
        return response.mutate()
                .body(body -> body(body, flight, attempt, bodyTaken))
                .build();
    }

    private static Flux<DataBuffer> body(
            Flux<DataBuffer> body, @Nullable Flight flight, @Nullable Attempt attempt, AtomicBoolean taken) {
        Flux<DataBuffer> watched = flight == null
                ? body
                : body.doOnSubscribe(subscription -> taken.set(true))
                        .doOnComplete(flight::arrived)
                        .doOnError(flight::failed)
                        .doOnCancel(flight::cancelled);
        return watched.doFinally(signal -> {
            if (flight != null) {
                flight.end();
            }
            if (attempt != null) {
                attempt.end();
            }
        });
    }
}

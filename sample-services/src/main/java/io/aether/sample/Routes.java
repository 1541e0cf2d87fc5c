// SPDX-License-Identifier: Apache-2.0
package io.aether.sample;

import io.aether.starter.limit.NotSentException;
import io.aether.starter.limit.OverloadSigns;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * What a sample process answers: {@code GET /<service>} for each service it hosts, {@code GET /served} with its
 * counts, {@code POST /fault/errors/{on|off}} for a deployment that answers 500 at once.
 */
@Component
class Routes {

    private static final Logger LOG = LoggerFactory.getLogger(Routes.class);

    private final SampleProperties properties;
    private final Worker worker;
    private final Served served;
    private final AtomicBoolean broken = new AtomicBoolean();

    Routes(SampleProperties properties, Worker worker, Served served) {
        this.properties = properties;
        this.worker = worker;
        this.served = served;
    }

    Mono<ServerResponse> serve(ServerRequest request) {
        Service service = Graph.services().get(request.pathVariable("service"));
        if (service == null || !properties.services().contains(service.id())) {
            return ServerResponse.notFound().build();
        }
        served.count(service.id());
        if (broken.get()) {
            return ServerResponse.status(HttpStatus.INTERNAL_SERVER_ERROR).build();
        }
        return worker.work(service, Draw.named(request.headers().firstHeader(Draw.HEADER)))
                .then(Mono.defer(() -> ServerResponse.ok()
                        .contentType(MediaType.APPLICATION_OCTET_STREAM)
                        .bodyValue(body(service))))
                .onErrorResume(failure -> !overload(failure), failure -> {
                    LOG.debug("{} failed", service.id(), failure);
                    return ServerResponse.status(HttpStatus.BAD_GATEWAY).build();
                });
    }

    /** Left to Aether's handler: an answer that tells the caller to come later. */
    private static boolean overload(Throwable failure) {
        return failure instanceof NotSentException
                || (failure instanceof WebClientResponseException answer
                        && OverloadSigns.in(answer.getStatusCode(), answer.getHeaders()));
    }

    Mono<ServerResponse> served(ServerRequest request) {
        return ServerResponse.ok().contentType(MediaType.TEXT_PLAIN).bodyValue(served.lines());
    }

    Mono<ServerResponse> errors(ServerRequest request) {
        broken.set("on".equals(request.pathVariable("state")));
        return ServerResponse.noContent().build();
    }

    private static byte[] body(Service service) {
        byte[] body = new byte[service.bytes()];
        Arrays.fill(body, (byte) 'x');
        return body;
    }
}

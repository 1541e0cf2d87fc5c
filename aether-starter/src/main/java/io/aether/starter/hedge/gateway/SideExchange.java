// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.hedge.gateway;

import io.aether.starter.inflight.Trip;
import io.aether.starter.limit.Passage;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import reactor.core.publisher.Flux;
import reactor.netty.Connection;

/**
 * An exchange as one of two attempts sees it: attributes, status and headers of its own, which become the exchange's when the
 * attempt wins. Its request has no body, so that both can send it.
 */
final class SideExchange extends ServerWebExchangeDecorator {

    private final Map<String, Object> attributes;
    private final ServerHttpRequest request;
    private final Answer response;

    SideExchange(ServerWebExchange exchange) {
        super(exchange);
        attributes = new ConcurrentHashMap<>(exchange.getAttributes());
        Object urls = attributes.get(ServerWebExchangeUtils.GATEWAY_ORIGINAL_REQUEST_URL_ATTR);
        if (urls instanceof Collection<?> known) {
            // The balancer's filter adds to it.
            attributes.put(ServerWebExchangeUtils.GATEWAY_ORIGINAL_REQUEST_URL_ATTR, new LinkedHashSet<>(known));
        }
        request = new ServerHttpRequestDecorator(exchange.getRequest()) {
            @Override
            public Flux<DataBuffer> getBody() {
                return Flux.empty();
            }
        };
        response = new Answer(exchange.getResponse());
    }

    @Override
    public Map<String, Object> getAttributes() {
        return attributes;
    }

    @Override
    public ServerHttpRequest getRequest() {
        return request;
    }

    @Override
    public ServerHttpResponse getResponse() {
        return response;
    }

    /** The status, 0 when there is none. */
    int status() {
        return response.status == null ? 0 : response.status.value();
    }

    /** Makes what the attempt brought the exchange's own. */
    void win() {
        ServerWebExchange exchange = getDelegate();
        exchange.getAttributes().putAll(attributes);
        ServerHttpResponse whole = exchange.getResponse();
        if (response.status != null) {
            whole.setStatusCode(response.status);
        }
        whole.getHeaders().addAll(response.headers);
    }

    /** The attempt is over: it failed, was cancelled, or nobody will read its answer. Idempotent. */
    void end() {
        if (attributes.get(Trip.ATTRIBUTE) instanceof Trip trip) {
            trip.finish();
        }
        if (attributes.get(Passage.ATTRIBUTE) instanceof Passage passage) {
            passage.end();
        }
        if (attributes.get(ServerWebExchangeUtils.CLIENT_RESPONSE_CONN_ATTR) instanceof Connection connection) {
            connection.dispose();
        }
    }

    /** Status and headers of an attempt's answer. */
    private static final class Answer extends ServerHttpResponseDecorator {

        private final HttpHeaders headers = new HttpHeaders();
        private volatile @Nullable HttpStatusCode status;

        Answer(ServerHttpResponse response) {
            super(response);
        }

        @Override
        public boolean setStatusCode(@Nullable HttpStatusCode code) {
            status = code;
            return true;
        }

        @Override
        public @Nullable HttpStatusCode getStatusCode() {
            return status;
        }

        @Override
        public boolean setRawStatusCode(@Nullable Integer code) {
            return setStatusCode(code == null ? null : HttpStatusCode.valueOf(code));
        }

        @Override
        public HttpHeaders getHeaders() {
            return headers;
        }
    }
}

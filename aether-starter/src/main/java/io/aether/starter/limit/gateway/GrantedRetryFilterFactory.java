// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit.gateway;

import io.aether.starter.limit.Passage;
import org.springframework.cloud.gateway.filter.factory.RetryGatewayFilterFactory;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.server.ServerWebExchange;

/** Makes the gateway's {@code Retry} filter, which retries here only while the branch grants it. Takes the place of Spring's bean. */
public final class GrantedRetryFilterFactory extends RetryGatewayFilterFactory {

    @Override
    public String name() {
        return "Retry";
    }

    /** Asked after every attempt, also the good ones, before anything else is. */
    @Override
    public boolean exceedsMaxIterations(ServerWebExchange exchange, RetryConfig config) {
        if (super.exceedsMaxIterations(exchange, config)) {
            return true;
        }
        Passage passage = exchange.getAttribute(Passage.ATTRIBUTE);
        if (passage == null || passage.grantsRetry()) {
            return false;
        }
        HttpStatusCode status = exchange.getResponse().getStatusCode();
        if (status == null || status.isError()) {
            passage.denied();
        }
        return true;
    }
}

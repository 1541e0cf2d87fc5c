// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.observation;

import io.aether.starter.limit.Passage;
import org.springframework.cloud.gateway.filter.headers.observation.GatewayContext;
import org.springframework.http.client.observation.ClientRequestObservationContext;

/** Where the observations of each kind of client keep what is known of a call. Of the kinds, any may be missing. */
public final class ObservedCalls {

    private ObservedCalls() {}

    /** Of RestClient and RestTemplate. */
    public static CallObservationFilter<?> ofBlockingClients() {
        return new CallObservationFilter<>(
                ClientRequestObservationContext.class,
                context -> context.getCarrier() == null
                        ? null
                        : context.getCarrier().getAttributes().get(Passage.ATTRIBUTE));
    }

    /** Of WebClient. */
    public static CallObservationFilter<?> ofWebClients() {
        return new CallObservationFilter<>(
                org.springframework.web.reactive.function.client.ClientRequestObservationContext.class,
                context -> context.get(Passage.class));
    }

    /** Of Spring Cloud Gateway on WebFlux. */
    public static CallObservationFilter<?> ofGateways() {
        return new CallObservationFilter<>(
                GatewayContext.class, context -> context.getServerWebExchange().getAttribute(Passage.ATTRIBUTE));
    }
}

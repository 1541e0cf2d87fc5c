// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit.webclient;

import io.aether.starter.context.RequestContexts;
import io.aether.starter.context.ServerWork;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Mono;

/**
 * Tells the server that its request waits for somebody else, also where nobody balances: until the answer's headers. Nothing of
 * the request's context is sent along, for such calls go anywhere.
 */
public final class WaitFilter implements ExchangeFilterFunction {

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        return Mono.deferContextual(chain -> {
            ServerWork work = RequestContexts.current(chain).work();
            if (work.equals(ServerWork.NONE)) {
                return next.exchange(request);
            }
            work.callBegins();
            return next.exchange(request).doFinally(signal -> work.callEnds());
        });
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit.blocking;

import io.aether.starter.context.RequestContexts;
import io.aether.starter.context.ServerWork;
import java.io.IOException;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Tells the server that its request waits for somebody else, also where nobody balances: until the answer's headers. Nothing of
 * the request's context is sent along, for such calls go anywhere.
 */
public final class WaitInterceptor implements ClientHttpRequestInterceptor {

    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        ServerWork work = RequestContexts.current().work();
        work.callBegins();
        try {
            return execution.execute(request, body);
        } finally {
            work.callEnds();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.inflight.blocking;

import io.aether.starter.inflight.Flight;
import io.aether.starter.limit.Attempt;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;

/** A response whose request is in flight until it is closed. */
final class CountedResponse implements ClientHttpResponse {

    private final ClientHttpResponse delegate;
    private final @Nullable Flight flight;
    private final @Nullable Attempt attempt;

    CountedResponse(ClientHttpResponse delegate, @Nullable Flight flight, @Nullable Attempt attempt) {
        this.delegate = delegate;
        this.flight = flight;
        this.attempt = attempt;
    }

    @Override
    public HttpStatusCode getStatusCode() throws IOException {
        return delegate.getStatusCode();
    }

    @Override
    public String getStatusText() throws IOException {
        return delegate.getStatusText();
    }

    @Override
    public HttpHeaders getHeaders() {
        return delegate.getHeaders();
    }

    @Override
    public InputStream getBody() throws IOException {
        return delegate.getBody();
    }

    @Override
    public void close() {
        try {
            delegate.close();
        } finally {
            if (flight != null) {
                flight.arrived(); // Whoever closes has read what was wanted.
                flight.end();
            }
            if (attempt != null) {
                attempt.end();
            }
        }
    }
}

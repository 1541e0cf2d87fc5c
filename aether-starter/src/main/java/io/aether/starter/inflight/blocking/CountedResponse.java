// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.inflight.blocking;

import io.aether.starter.inflight.Flight;
import java.io.IOException;
import java.io.InputStream;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;

/** A response whose request is in flight until it is closed. */
final class CountedResponse implements ClientHttpResponse {

    private final ClientHttpResponse delegate;
    private final Flight flight;

    CountedResponse(ClientHttpResponse delegate, Flight flight) {
        this.delegate = delegate;
        this.flight = flight;
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
            flight.arrived(); // Whoever closes has read what was wanted.
            flight.end();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.inflight.blocking;

import java.util.HashMap;
import java.util.Map;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.support.HttpRequestWrapper;

/** A request like another, with headers and attributes of its own. */
final class CopiedRequest extends HttpRequestWrapper {

    private final HttpHeaders headers = new HttpHeaders();
    private final Map<String, Object> attributes;

    CopiedRequest(HttpRequest request) {
        super(request);
        headers.addAll(request.getHeaders());
        attributes = new HashMap<>(request.getAttributes());
    }

    @Override
    public HttpHeaders getHeaders() {
        return headers;
    }

    @Override
    public Map<String, Object> getAttributes() {
        return attributes;
    }
}

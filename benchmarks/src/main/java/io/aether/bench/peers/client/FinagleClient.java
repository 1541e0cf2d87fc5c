// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers.client;

import com.twitter.finagle.Http;
import com.twitter.finagle.Service;
import com.twitter.finagle.http.Method;
import com.twitter.finagle.http.Request;
import com.twitter.finagle.http.Response;
import com.twitter.finagle.http.service.HttpResponseClassifier;
import com.twitter.finagle.loadbalancer.LoadBalancerFactory;
import com.twitter.util.Duration;
import com.twitter.util.FutureEventListener;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.Collectors;

/** Finagle's own HTTP client. Errors of the server count as failures, which it takes one line to ask for. */
final class FinagleClient implements Client {
    private final Service<Request, Response> service;

    FinagleClient(List<InetSocketAddress> servers, LoadBalancerFactory balancer, int number) {
        String destination = servers.stream()
                .map(server -> server.getHostString() + ":" + server.getPort())
                .collect(Collectors.joining(","));
        service = Http.client()
                .withLoadBalancer()
                .apply(balancer)
                .withResponseClassifier(HttpResponseClassifier.ServerErrorsAsFailures())
                .withRequestTimeout(Duration.fromMilliseconds(TIMEOUT_MILLIS))
                .newService(destination, "client-" + number);
    }

    @Override
    public void send(End end) {
        service.apply(Request.apply(Method.Get(), "/")).addEventListener(new FutureEventListener<Response>() {
            @Override
            public void onSuccess(Response answer) {
                end.answered(answer.statusCode());
            }

            @Override
            public void onFailure(Throwable cause) {
                end.failed();
            }
        });
    }
}

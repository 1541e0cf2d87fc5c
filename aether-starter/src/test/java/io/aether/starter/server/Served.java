// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import io.aether.core.limit.Priority;
import io.aether.starter.context.ContextHeaders;
import io.aether.starter.testing.Apps;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

/** A real application on a free port of loopback, and what a test does with it. */
final class Served implements AutoCloseable {
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private final ConfigurableApplicationContext context;
    private final int port;

    Served(Class<?> application, WebApplicationType type, String... properties) {
        context = Apps.start(application, type, List.of(), properties);
        port = context.getEnvironment().getRequiredProperty("local.server.port", int.class);
    }

    /** The server has so many requests that wait for its single thread, as far as it knows. */
    void queue(int waiting) {
        bean(OwnQueue.class).workedBy(new Workers() {
            @Override
            public int waiting() {
                return waiting;
            }

            @Override
            public int most() {
                return 1;
            }

            @Override
            public boolean judgedLate() {
                return false;
            }
        });
    }

    /** Each of which takes so long. */
    void takes(double millis) {
        for (int i = 0; i < 2000; i++) {
            bean(ServerLoad.class).workerTime().observe(millis * 1e6);
        }
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    int port() {
        return port;
    }

    HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        return client.send(request(path, headers), BodyHandlers.ofString());
    }

    CompletableFuture<HttpResponse<String>> later(String path, String... headers) {
        return client.sendAsync(request(path, headers), BodyHandlers.ofString());
    }

    int status(String path, Priority priority) throws IOException, InterruptedException {
        return get(path, ContextHeaders.PRIORITY, priority.name()).statusCode();
    }

    private HttpRequest request(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(30));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return request.build();
    }

    @Override
    public void close() {
        context.close();
    }
}

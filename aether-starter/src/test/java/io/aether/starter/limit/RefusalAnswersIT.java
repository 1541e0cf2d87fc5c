// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.limit.Priority;
import io.aether.starter.testing.Apps;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.HttpServerErrorException;
import org.springframework.web.reactive.function.client.WebClientResponseException;

/** What servers answer when a call of theirs was held back and nobody caught it. */
class RefusalAnswersIT {

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void areUnavailableForAWhileOrLate(WebApplicationType type) throws Exception {
        try (ConfigurableApplicationContext app = Apps.start(App.class, type, List.of())) {
            String port = app.getEnvironment().getRequiredProperty("local.server.port");
            HttpResponse<String> limited = get(port, "/limited");
            assertThat(limited.statusCode()).isEqualTo(503);
            assertThat(limited.headers().allValues("Retry-After")).containsExactly("3");
            HttpResponse<String> further = get(port, "/further?type=" + type);
            assertThat(further.statusCode()).isEqualTo(503);
            assertThat(further.headers().allValues("Retry-After")).containsExactly("7");
            assertThat(get(port, "/broken?type=" + type).statusCode()).isEqualTo(500);
            HttpResponse<String> late = get(port, "/late");
            assertThat(late.statusCode()).isEqualTo(504);
            assertThat(late.headers().firstValue("Retry-After")).isEmpty();
        }
    }

    private static HttpResponse<String> get(String port, String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                .build(),
                        BodyHandlers.ofString());
    }

    @RestController
    static class Pages {

        @GetMapping("/limited")
        String limited() {
            throw new BranchLimitedException("aether:shop:default", Priority.CRITICAL, Duration.ofMillis(2001));
        }

        /** A service that this one needs refuses. */
        @GetMapping("/further")
        String further(@RequestParam WebApplicationType type) {
            HttpHeaders headers = new HttpHeaders();
            headers.set(HttpHeaders.RETRY_AFTER, "7");
            throw answer(type, headers);
        }

        /** It answers 503 without a word of overload. */
        @GetMapping("/broken")
        String broken(@RequestParam WebApplicationType type) {
            throw answer(type, new HttpHeaders());
        }

        private static RuntimeException answer(WebApplicationType type, HttpHeaders headers) {
            return type == WebApplicationType.REACTIVE
                    ? WebClientResponseException.create(503, "", headers, new byte[0], null)
                    : HttpServerErrorException.create(HttpStatus.SERVICE_UNAVAILABLE, "", headers, new byte[0], null);
        }

        @GetMapping("/late")
        String late() {
            throw new DeadlinePassedException("aether:shop:default");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Pages.class)
    static class App {}
}

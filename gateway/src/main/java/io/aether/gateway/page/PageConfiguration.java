// SPDX-License-Identifier: Apache-2.0
package io.aether.gateway.page;

import java.net.URI;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.cloud.gateway.support.RouteMetadataUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.web.server.WebFilter;

/** What the page at {@code /} needs beside its own files: its data under {@code /live}, and what a browser may do with it. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(PageProperties.class)
class PageConfiguration {

    /** Its own files and its own server only, whatever an instance calls itself. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final int PREFIX = 2;

    /** An agent takes seconds to start on a busy machine. */
    private static final int SWITCH_MILLIS = 60_000;

    @Bean
    RouteLocator pageRoutes(RouteLocatorBuilder builder, PageProperties properties) {
        RouteLocatorBuilder.Builder routes = builder.routes()
                .route(
                        "page-graph",
                        route -> route.path("/live/graph")
                                .and()
                                .method(HttpMethod.GET)
                                .filters(filters -> filters.setPath("/graph"))
                                .uri("lb://checkout"));
        URI agent = properties.agent();
        if (agent != null) {
            routes.route(
                    "page-agent",
                    route -> route.path("/live/agent/api/v1/endpoints", "/live/agent/api/v1/stream")
                            .and()
                            .method(HttpMethod.GET)
                            .filters(filters -> filters.stripPrefix(PREFIX))
                            .uri(agent));
        }
        URI demo = properties.demo();
        if (demo != null) {
            // The demo looks at who asks: it must see the name under which the browser knows this server.
            routes.route(
                    "page-demo",
                    route -> route.path("/live/demo/**")
                            .filters(filters -> filters.stripPrefix(PREFIX).preserveHostHeader())
                            .metadata(RouteMetadataUtils.RESPONSE_TIMEOUT_ATTR, SWITCH_MILLIS)
                            .uri(demo));
        }
        return routes.build();
    }

    @Bean
    WebFilter pageHeaders() {
        return (exchange, chain) -> {
            String path = exchange.getRequest().getPath().value();
            if (path.equals("/") || path.equals("/index.html") || path.startsWith("/page/")) {
                HttpHeaders headers = exchange.getResponse().getHeaders();
                headers.set("Content-Security-Policy", POLICY);
                headers.set("X-Content-Type-Options", "nosniff");
                headers.set("Referrer-Policy", "no-referrer");
                headers.set("Cross-Origin-Resource-Policy", "same-origin");
            }
            return chain.filter(exchange);
        };
    }
}

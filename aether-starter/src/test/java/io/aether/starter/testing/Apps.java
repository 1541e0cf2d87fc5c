// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.testing;

import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts small applications whose service {@code shop} lives at given backends. */
public final class Apps {

    public static final String SERVICE = "shop";

    private Apps() {}

    public static ConfigurableApplicationContext start(
            Class<?> source, WebApplicationType type, List<Backend> backends, String... properties) {
        List<String> all = new ArrayList<>(List.of(
                "aether.table.path=/nonexistent/aether/health",
                "spring.main.banner-mode=off",
                "server.port=0",
                "spring.cloud.loadbalancer.retry.enabled=false",
                "server.address=127.0.0.1",
                "spring.cloud.gateway.server.webflux.enabled=false"));
        for (int i = 0; i < backends.size(); i++) {
            all.add("spring.cloud.discovery.client.simple.instances." + SERVICE + "[" + i + "].uri="
                    + backends.get(i).uri());
        }
        all.addAll(List.of(properties));
        return new SpringApplicationBuilder(source)
                .web(type)
                .properties(all.toArray(String[]::new))
                .run();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.compatibility;

import io.aether.starter.testing.Apps;
import io.aether.starter.testing.Backend;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts applications that have all registries on their class path; each test switches its own on. */
final class Start {

    private static final List<String> ALL_OFF = List.of(
            "eureka.client.enabled=false",
            "spring.cloud.consul.enabled=false",
            "spring.cloud.kubernetes.enabled=false",
            "spring.cloud.service-registry.auto-registration.enabled=false",
            "management.tracing.sampling.probability=1",
            "logging.level.root=warn");

    private Start() {}

    static ConfigurableApplicationContext app(
            Class<?> source, WebApplicationType type, List<Backend> backends, String... properties) {
        List<String> all = new ArrayList<>(ALL_OFF);
        all.addAll(List.of(properties));
        return Apps.start(source, type, backends, all.toArray(String[]::new));
    }
}

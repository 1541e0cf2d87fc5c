// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import io.aether.core.pick.Mode;
import io.aether.core.pick.Signals;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.ConfigurationPropertiesAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

/** Binding, validation and metadata of the properties. */
class AetherPropertiesTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner().withUserConfiguration(Bound.class);

    @Test
    void defaults() {
        runner.run(context -> {
            AetherProperties properties = context.getBean(AetherProperties.class);
            assertThat(properties.enabled()).isTrue();
            assertThat(properties.mode()).isEqualTo(Mode.ON);
            assertThat(properties.signals()).isEqualTo(Signals.KERNEL);
            assertThat(properties.table().path()).hasToString("/run/aether/health");
            assertThat(properties.pick().maxCandidates()).isEqualTo(6);
            assertThat(properties.services()).isEmpty();
        });
    }

    @Test
    void servicesOverride() {
        runner.withPropertyValues(
                        "aether.services.shop.mode=observe",
                        "aether.services.shop.signals=application",
                        "aether.services.shop.optional=true",
                        "aether.services.shop.limit.mode=off",
                        "aether.services.shop.hedge.mode=observe",
                        "aether.services.shop.hedge.budget=0.02",
                        "aether.services.shop.hedge.min-delay=3ms",
                        "aether.services.shop.limit.groups.orders=/orders/**,/baskets/*")
                .run(context -> {
                    AetherProperties.ServiceLimit limit = new AetherProperties.ServiceLimit(
                            Mode.OFF, Map.of("orders", List.of("/orders/**", "/baskets/*")));
                    AetherProperties.ServiceHedge hedge =
                            new AetherProperties.ServiceHedge(Mode.OBSERVE, 0.02, Duration.ofMillis(3));
                    assertThat(context.getBean(AetherProperties.class).services())
                            .isEqualTo(Map.of(
                                    "shop",
                                    new AetherProperties.Service(
                                            Mode.OBSERVE, Signals.APPLICATION, true, limit, hedge)));
                });
    }

    @ParameterizedTest
    @CsvSource({"on,ON", "off,OFF", "observe,OBSERVE"})
    void yamlsBooleansAreModes(String written, Mode mode) throws IOException {
        // YAML 1.1 reads on and off as true and false.
        List<PropertySource<?>> sources = new YamlPropertySourceLoader()
                .load("test", new ByteArrayResource(("aether:\n  mode: " + written + "\n").getBytes()));
        runner.withInitializer(
                        context -> sources.forEach(context.getEnvironment().getPropertySources()::addFirst))
                .run(context -> assertThat(
                                context.getBean(AetherProperties.class).mode())
                        .isEqualTo(mode));
    }

    @ParameterizedTest
    @CsvSource({
        "aether.mode, sideways",
        "aether.signals, stars",
        "aether.pick.max-candidates, 1",
        "aether.pick.max-candidates, 17",
        "aether.pick.ewma-tau, 0s",
        "aether.pick.failure-penalty, soon",
        "aether.table.refresh, 1ms",
        "aether.decisions.size, -1",
        "aether.in-flight.lost-after, 0s",
        "aether.metrics.max-instances, 0",
        "aether.services.shop.mode, maybe",
        "aether.warm-up.requests, 101",
        "aether.warm-up.path, inventory",
        "aether.warm-up.patience, 6m",
        "aether.services.shop.hedge.budget, 0.2",
        "aether.services.shop.hedge.min-delay, 1ns",
    })
    @ExtendWith(OutputCaptureExtension.class)
    void aWrongValueStopsTheApplicationWithItsName(String name, String value, CapturedOutput output) {
        try {
            new SpringApplicationBuilder(Bound.class)
                    .web(WebApplicationType.NONE)
                    .properties("spring.main.banner-mode=off", name + "=" + value)
                    .run()
                    .close();
        } catch (RuntimeException expected) {
            // Validation names the record's component, conversion the property: the same but for dashes.
            assertThat(output.toString()
                            .replace("-", "")
                            .replace("PT0.001S", "1ms")
                            .replace("PT0S", "0s")
                            .replace("PT6M", "6m")
                            .replace("PT0.000000001S", "1ns")
                            .replaceAll("services\\[(\\w+)]", "services.$1"))
                    .contains("APPLICATION FAILED TO START")
                    .containsIgnoringCase("Property: " + name.replace("-", ""))
                    .contains("Value: \"" + value.replace("-", ""));
            return;
        }
        throw new AssertionError(name + "=" + value + " was accepted");
    }

    @Test
    void whatAValueMayBeIsSaid() {
        runner.withPropertyValues(
                        "aether.table.refresh=1m",
                        "aether.pick.max-candidates=1",
                        "aether.services.shop.hedge.budget=1")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("must be 10ms to 10s")
                        .hasStackTraceContaining("must be 2 to 16")
                        .hasStackTraceContaining("must be 0.0001 to 0.05"));
    }

    @Test
    void everyPropertyIsDescribed() throws IOException {
        List<Map<String, Object>> properties;
        try (InputStream in = Objects.requireNonNull(
                AetherProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json"))) {
            properties = JsonPath.read(in, "$.properties");
        }
        assertThat(properties)
                .allSatisfy(property -> assertThat(property.get("description"))
                        .as(String.valueOf(property.get("name")))
                        .asString()
                        .endsWith("."));
        assertThat(properties)
                .extracting(property -> property.get("name"))
                .containsAll(names("aether", AetherProperties.class));
    }

    private static List<Object> names(String prefix, Class<?> type) {
        List<Object> names = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            String name = prefix + "." + DataObjectPropertyName.toDashedForm(component.getName());
            if (component.getType().isRecord()) {
                names.addAll(names(name, component.getType()));
            } else {
                names.add(name);
            }
        }
        return names;
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(ConfigurationPropertiesAutoConfiguration.class)
    @EnableConfigurationProperties(AetherProperties.class)
    static class Bound {}
}

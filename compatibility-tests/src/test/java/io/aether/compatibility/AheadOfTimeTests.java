// SPDX-License-Identifier: Apache-2.0
package io.aether.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.starter.autoconfigure.AetherAutoConfiguration;
import io.aether.starter.autoconfigure.AetherBlockingClientAutoConfiguration;
import io.aether.starter.autoconfigure.AetherBlockingLimitAutoConfiguration;
import io.aether.starter.autoconfigure.AetherCallAutoConfiguration;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.testing.Apps;
import io.aether.starter.testing.Backend;
import io.aether.starter.testing.BalancedClients;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.ConfigurationPropertiesAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.cloud.client.discovery.composite.CompositeDiscoveryClientAutoConfiguration;
import org.springframework.cloud.client.discovery.simple.SimpleDiscoveryClientAutoConfiguration;
import org.springframework.cloud.commons.util.UtilAutoConfiguration;
import org.springframework.cloud.loadbalancer.config.BlockingLoadBalancerClientAutoConfiguration;
import org.springframework.cloud.loadbalancer.config.LoadBalancerAutoConfiguration;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.PropertiesPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.web.client.RestClient;

/** An application whose context was made at build time, as for a native image, balances through Aether. */
class AheadOfTimeTests {

    @Test
    @CompileWithForkedClassLoader
    void theGeneratedContextBalances() {
        try (Backend shop = new Backend()) {
            AnnotationConfigApplicationContext built = new AnnotationConfigApplicationContext();
            built.setEnvironment(environment(shop));
            built.register(App.class);
            TestGenerationContext generated = new TestGenerationContext();
            var initializer = new ApplicationContextAotGenerator().processAheadOfTime(built, generated);
            generated.writeGeneratedContent();
            TestCompiler.forSystem().with(generated).compile(compiled -> {
                GenericApplicationContext context = new GenericApplicationContext();
                context.setEnvironment(environment(shop));
                @SuppressWarnings("unchecked") // as generated
                ApplicationContextInitializer<GenericApplicationContext> start =
                        compiled.getInstance(ApplicationContextInitializer.class, initializer.reflectionName());
                start.initialize(context);
                context.refresh();
                try (context) {
                    RestClient client =
                            context.getBean(RestClient.Builder.class).build();
                    assertThat(client.get().uri("http://shop/").retrieve().body(String.class))
                            .isEqualTo("ok");
                    assertThat(context.getBean(ServiceFleets.class)
                                    .get(Apps.SERVICE)
                                    .decisions())
                            .hasSize(1);
                }
            });
        }
    }

    private static ConfigurableEnvironment environment(Backend shop) {
        Properties properties = new Properties();
        properties.putAll(Map.of(
                "aether.table.path",
                "/nonexistent/aether/health",
                "spring.cloud.loadbalancer.eager-load.clients[0]",
                Apps.SERVICE,
                "spring.cloud.discovery.client.simple.instances.shop[0].uri",
                shop.uri()));
        ConfigurableEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new PropertiesPropertySource("test", properties));
        return environment;
    }

    /** Spring's balancer and Aether's, and not all else that is on this class path: that takes a minute to compile. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        AetherAutoConfiguration.class,
        AetherBlockingClientAutoConfiguration.class,
        AetherBlockingLimitAutoConfiguration.class,
        AetherCallAutoConfiguration.class,
        BlockingLoadBalancerClientAutoConfiguration.class,
        CompositeDiscoveryClientAutoConfiguration.class,
        ConfigurationPropertiesAutoConfiguration.class,
        LoadBalancerAutoConfiguration.class,
        PropertyPlaceholderAutoConfiguration.class,
        SimpleDiscoveryClientAutoConfiguration.class,
        UtilAutoConfiguration.class,
        org.springframework.cloud.client.loadbalancer.LoadBalancerAutoConfiguration.class,
    })
    @Import(BalancedClients.class)
    static class App {}
}

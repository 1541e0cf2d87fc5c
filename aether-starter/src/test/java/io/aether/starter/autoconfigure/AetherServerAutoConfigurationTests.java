// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.pick.Mode;
import io.aether.starter.actuator.AetherServerEndpoint;
import io.aether.starter.metrics.ServerMeters;
import io.aether.starter.server.Arrivals;
import io.aether.starter.server.ServerEntry;
import io.aether.starter.server.ServerGate;
import io.aether.starter.server.gateway.RouteContextFilter;
import io.aether.starter.server.servlet.MvcHandlers;
import io.aether.starter.server.webflux.PrincipalWebFilter;
import io.aether.starter.server.webflux.ServerWebFilter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;

/** What is there in servlet, reactive and other applications, without optional libraries, and with wrong values. */
class AetherServerAutoConfigurationTests {

    private static final AutoConfigurations ALL = AutoConfigurations.of(
            AetherAutoConfiguration.class,
            AetherServerAutoConfiguration.class,
            AetherServletServerAutoConfiguration.class,
            AetherReactiveServerAutoConfiguration.class,
            AetherServerGatewayAutoConfiguration.class,
            AetherMetricsAutoConfiguration.class,
            AetherActuatorAutoConfiguration.class,
            org.springframework.cloud.loadbalancer.config.LoadBalancerAutoConfiguration.class);
    private static final String TABLE = "aether.table.path=/nonexistent/health";
    private static final String NO_GATEWAY = "spring.cloud.gateway.server.webflux.enabled=false";

    private final ApplicationContextRunner plain =
            new ApplicationContextRunner().withConfiguration(ALL).withPropertyValues(TABLE);
    private final WebApplicationContextRunner servlet =
            new WebApplicationContextRunner().withConfiguration(ALL).withPropertyValues(TABLE);
    private final ReactiveWebApplicationContextRunner reactive =
            new ReactiveWebApplicationContextRunner().withConfiguration(ALL).withPropertyValues(TABLE, NO_GATEWAY);

    @Test
    void servletApplicationsGetAFilter() {
        servlet.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withPropertyValues("management.endpoints.web.exposure.include=*")
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(FilterRegistrationBean.class);
                    assertThat(context).hasSingleBean(MvcHandlers.class).doesNotHaveBean(ServerWebFilter.class);
                    assertThat(context).hasSingleBean(ServerMeters.class).hasSingleBean(AetherServerEndpoint.class);
                    assertThat(context.getBean(Arrivals.class).trusting()).isTrue();
                    assertThat(context.getBean(ServerGate.class).mode()).isEqualTo(Mode.ON);
                });
    }

    @Test
    void reactiveApplicationsGetAFilter() {
        reactive.withPropertyValues("aether.server.user.principal=true").run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(ServerWebFilter.class);
            assertThat(context).hasSingleBean(PrincipalWebFilter.class);
            assertThat(context).doesNotHaveBean(FilterRegistrationBean.class);
            assertThat(context).doesNotHaveBean(RouteContextFilter.class);
            assertThat(context.getBean(Arrivals.class).trusting()).isTrue();
        });
    }

    @Test
    void gatewaysTrustNobody() {
        reactive.withPropertyValues("spring.cloud.gateway.server.webflux.enabled=true")
                .run(context -> {
                    assertThat(context).hasSingleBean(RouteContextFilter.class);
                    assertThat(context.getBean(Arrivals.class).trusting()).isFalse();
                });
    }

    @Test
    void applicationsThatServeNothingGetNothing() {
        plain.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ServerEntry.class));
        servlet.withPropertyValues("aether.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(ServerEntry.class)
                        .doesNotHaveBean(FilterRegistrationBean.class));
    }

    @Test
    void aServletApplicationNeedsNoReactiveStackNorTomcatNorOptionalLibraries() {
        servlet.withClassLoader(new FilteredClassLoader(
                        "org.springframework.web.reactive",
                        "org.springframework.cloud.gateway",
                        "org.apache.tomcat",
                        "org.apache.catalina",
                        "org.springframework.boot.tomcat",
                        "reactor.netty",
                        "io.micrometer",
                        "io.github.resilience4j"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(FilterRegistrationBean.class));
    }

    @Test
    void aReactiveApplicationNeedsNoServletsNorNettyNorOptionalLibraries() {
        reactive.withClassLoader(new FilteredClassLoader(
                        "jakarta.servlet",
                        "org.springframework.web.servlet",
                        "org.springframework.cloud.gateway",
                        "org.apache.tomcat",
                        "org.springframework.boot.tomcat",
                        "reactor.netty",
                        "io.micrometer",
                        "io.github.resilience4j"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(ServerWebFilter.class));
    }

    @ParameterizedTest
    @CsvSource({
        "aether.server.mode, maybe",
        "aether.server.objective, 0ms",
        "aether.server.objective, 2d",
        "aether.server.priority, urgent",
        "aether.server.deadline, -1s",
        "aether.server.user.header, X Y",
        "aether.server.exempt[0], actuator",
        "aether.server.routes[0].path, ''",
        "aether.server.routes[0].path, /{a",
    })
    void wrongValuesStopTheApplicationAndAreNamed(String property, String value) {
        servlet.withPropertyValues(property + "=" + value).run(context -> {
            assertThat(context).hasFailed();
            Throwable failure = context.getStartupFailure();
            assertThat(failure).isNotNull();
            String last = property.substring(property.lastIndexOf('.') + 1);
            assertThat(failure).hasStackTraceContaining("aether.server").hasStackTraceContaining(last);
        });
    }
}

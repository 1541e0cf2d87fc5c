// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.pick.Mode;
import io.aether.starter.context.RequestContext;
import io.aether.starter.limit.AetherRateLimiter;
import io.aether.starter.limit.BranchLimits;
import io.aether.starter.limit.LimitSwitches;
import io.aether.starter.limit.blocking.AskingLoadBalancerClient;
import io.aether.starter.limit.blocking.GrantedRetryFactory;
import io.aether.starter.metrics.AetherMeters;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cloud.client.loadbalancer.LoadBalancedRetryFactory;
import org.springframework.cloud.client.loadbalancer.LoadBalancerClient;
import org.springframework.cloud.loadbalancer.blocking.client.BlockingLoadBalancerClient;
import org.springframework.cloud.loadbalancer.config.BlockingLoadBalancerClientAutoConfiguration;
import org.springframework.cloud.loadbalancer.config.LoadBalancerAutoConfiguration;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.retry.support.RetryTemplate;

/** The limiters' beans by default, beside a user's own, and with wrong properties. */
class AetherCallAutoConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AetherAutoConfiguration.class,
                    AetherCallAutoConfiguration.class,
                    AetherBlockingLimitAutoConfiguration.class,
                    AetherMetricsAutoConfiguration.class,
                    LoadBalancerAutoConfiguration.class,
                    BlockingLoadBalancerClientAutoConfiguration.class))
            .withPropertyValues("aether.table.path=/nonexistent/health");

    private static void call(BranchLimits limits) {
        limits.call(URI.create("http://shop/"), RequestContext.NONE).ask();
    }

    @Test
    void limitersAreOnInARegistryOfOurOwn() {
        runner.run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(RateLimiterRegistry.class);
            assertThat(context.getBean(LimitSwitches.class).common()).isEqualTo(Mode.ON);
            assertThat(context.getBean(LoadBalancerClient.class)).isInstanceOf(AskingLoadBalancerClient.class);
            assertThat(context.getBean(LoadBalancedRetryFactory.class)).isInstanceOf(GrantedRetryFactory.class);
            call(context.getBean(BranchLimits.class));
            assertThat(context.getBean(RateLimiterRegistry.class).find("aether:shop:default"))
                    .containsInstanceOf(AetherRateLimiter.class);
        });
    }

    @Test
    void orInTheApplicationsRegistry() {
        RateLimiterRegistry own = RateLimiterRegistry.ofDefaults();
        runner.withBean(RateLimiterRegistry.class, () -> own).run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(RateLimiterRegistry.class);
            call(context.getBean(BranchLimits.class));
            assertThat(own.find("aether:shop:default")).containsInstanceOf(AetherRateLimiter.class);
        });
    }

    @Test
    void disabledThereIsNone() {
        runner.withPropertyValues("aether.enabled=false").run(context -> {
            assertThat(context)
                    .hasNotFailed()
                    .doesNotHaveBean(BranchLimits.class)
                    .doesNotHaveBean(RateLimiterRegistry.class);
            assertThat(context.getBean(LoadBalancerClient.class)).isExactlyInstanceOf(BlockingLoadBalancerClient.class);
        });
    }

    @Test
    void aLoadBalancerClientOfTheUsersOwnStays() {
        runner.withUserConfiguration(OwnClient.class)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(AskingLoadBalancerClient.class)
                        .hasSingleBean(LoadBalancerClient.class));
    }

    @Test
    void worksWithoutSpringRetry() {
        runner.withClassLoader(new FilteredClassLoader(RetryTemplate.class))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(AskingLoadBalancerClient.class)
                        .doesNotHaveBean(GrantedRetryFactory.class));
    }

    @Test
    void servicesOverride() {
        runner.withPropertyValues("aether.limit.mode=observe", "aether.services.shop.limit.mode=off")
                .run(context -> {
                    LimitSwitches switches = context.getBean(LimitSwitches.class);
                    assertThat(switches.of("shop")).isEqualTo(Mode.OFF);
                    assertThat(switches.of("other")).isEqualTo(Mode.OBSERVE);
                });
    }

    @Test
    void metersComeWithARegistry() {
        runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new).run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            context.getBean(AetherMeters.class).bindTo(registry);
            assertThat(registry.find("aether.limit.unlimited").functionCounter())
                    .isNotNull();
        });
    }

    @ParameterizedTest
    @CsvSource({
        "aether.limit.mode, sideways, aether.limit.mode",
        "aether.limit.grace, 11m, object 'aether' on field 'limit.grace'",
        "aether.services.shop.limit.mode, perhaps, aether.services.shop.limit.mode",
        "aether.services.shop.limit.groups.orders, orders, aether.services.shop.limit.groups",
        "aether.services.shop.optional, perhaps, aether.services.shop.optional"
    })
    void aWrongValueStopsTheApplicationAndIsNamed(String property, String value, String said) {
        runner.withPropertyValues(property + "=" + value)
                .run(context -> assertThat(context)
                        .getFailure()
                        .satisfies(error -> assertThat(chain(error)).contains(said)));
    }

    private static String chain(Throwable error) {
        StringBuilder all = new StringBuilder();
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            all.append(cause).append('\n');
        }
        return all.toString();
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnClient {

        @Bean
        BlockingLoadBalancerClient ownClient(LoadBalancerClientFactory clients) {
            return new BlockingLoadBalancerClient(clients);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.core.NanoClock;
import io.aether.core.pick.KernelView;
import io.aether.core.pick.PickSettings;
import io.aether.core.table.NetworkNamespace;
import io.aether.core.table.TableSource;
import io.aether.starter.balancer.AddressTask;
import io.aether.starter.balancer.AetherLoadBalancerClientConfiguration;
import io.aether.starter.balancer.Policy;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.balancer.Switches;
import io.aether.starter.housekeeping.Housekeeping;
import io.aether.starter.housekeeping.Tasks;
import io.aether.starter.inflight.Flights;
import io.aether.starter.inflight.LifecycleFlights;
import io.aether.starter.inflight.LifecycleFlights.StatusReader;
import io.aether.starter.table.AddressBook;
import io.aether.starter.table.TableReport;
import io.aether.starter.warmup.WarmUp;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.cloud.loadbalancer.annotation.LoadBalancerClients;
import org.springframework.cloud.loadbalancer.config.LoadBalancerAutoConfiguration;
import org.springframework.cloud.loadbalancer.core.ReactorServiceInstanceLoadBalancer;
import org.springframework.context.annotation.Bean;

/** Aether's balancer in place of Spring's default one, for every service, and what it needs. */
@AutoConfiguration(after = LoadBalancerAutoConfiguration.class)
@ConditionalOnClass(ReactorServiceInstanceLoadBalancer.class)
@ConditionalOnAether
@EnableConfigurationProperties(AetherProperties.class)
@LoadBalancerClients(defaultConfiguration = AetherLoadBalancerClientConfiguration.class)
public final class AetherAutoConfiguration {

    private static final Duration SWEEP = Duration.ofSeconds(1);
    private static final Duration WARM_UP = Duration.ofMillis(100);
    private static final Duration NEW_NAMES = Duration.ofMillis(100);
    private static final Duration ALL_NAMES = Duration.ofSeconds(30);

    /** An application that asks for its validator must not be given properties that check themselves. */
    @Bean
    static BeanFactoryPostProcessor aetherPropertiesAreNoValidators() {
        return factory -> {
            for (String name : factory.getBeanNamesForType(SelfChecked.class, true, false)) {
                factory.getBeanDefinition(name).setFallback(true);
            }
        };
    }

    @Bean
    @ConditionalOnMissingBean
    NanoClock aetherClock() {
        return NanoClock.system();
    }

    @Bean
    @ConditionalOnMissingBean
    TableSource aetherTableSource(AetherProperties properties, NanoClock clock) {
        return new TableSource(properties.table().path(), clock, NetworkNamespace.inodeOfSelf());
    }

    @Bean
    @ConditionalOnMissingBean
    AddressBook aetherAddressBook() {
        return new AddressBook(InetAddress::getAllByName);
    }

    @Bean
    @ConditionalOnMissingBean
    KernelView aetherKernelView(TableSource table, AddressBook addresses) {
        return KernelView.of(table, addresses);
    }

    @Bean
    @ConditionalOnMissingBean
    Switches aetherSwitches(AetherProperties properties) {
        Map<String, Switches.Own> overrides = new HashMap<>();
        properties
                .services()
                .forEach((service, own) -> overrides.put(service, new Switches.Own(own.mode(), own.signals())));
        return new Switches(new Policy(properties.mode(), properties.signals()), overrides);
    }

    @Bean
    @ConditionalOnMissingBean
    ServiceFleets aetherServiceFleets(
            AetherProperties properties,
            Switches switches,
            NanoClock clock,
            KernelView kernel,
            @Value("${spring.cloud.loadbalancer.zone:}") String springsZone) {
        AetherProperties.Pick pick = properties.pick();
        PickSettings settings = PickSettings.defaults()
                .withMaxCandidates(pick.maxCandidates())
                .withTimes(pick.ewmaTau(), pick.failurePenalty())
                .withWarmUp(
                        properties.warmUp().requests() > 0 ? properties.warmUp().patience() : Duration.ZERO);
        String zone = properties.zone() == null ? springsZone : properties.zone();
        return new ServiceFleets(
                switches, settings, clock, kernel, properties.decisions().size(), zone.isBlank() ? null : zone.strip());
    }

    @Bean
    @ConditionalOnMissingBean
    Flights aetherFlights(NanoClock clock, ServiceFleets fleets) {
        return new Flights(clock, fleets::failed);
    }

    @Bean
    @ConditionalOnMissingBean
    LifecycleFlights aetherLifecycleFlights(
            Flights flights,
            ServiceFleets fleets,
            ObjectProvider<StatusReader> statuses,
            ObjectProvider<BlockingRequestsCounted> blocking,
            AetherProperties properties) {
        return new LifecycleFlights(
                flights,
                fleets::find,
                statuses.getIfAvailable(() -> answer -> -1),
                blocking.getIfAvailable() != null,
                properties.inFlight().lostAfter());
    }

    @Bean
    @ConditionalOnMissingBean
    Housekeeping aetherHousekeeping(ObjectProvider<Tasks> tasks) {
        return new Housekeeping(tasks);
    }

    @Bean
    @ConditionalOnMissingBean
    WarmUp aetherWarmUp(ServiceFleets fleets, NanoClock clock, AetherProperties properties) {
        AetherProperties.WarmUp own = properties.warmUp();
        return new WarmUp(fleets, clock, own.requests(), own.path());
    }

    @Bean
    Tasks aetherTasks(
            AetherProperties properties,
            TableSource table,
            ServiceFleets fleets,
            LifecycleFlights flights,
            WarmUp warmUp,
            AddressBook addresses) {
        AddressTask names = new AddressTask(fleets, addresses);
        return new Tasks()
                .add(properties.table().refresh(), new TableReport(table)::refresh)
                .add(SWEEP, fleets::sweep)
                .add(SWEEP, flights::sweep)
                .add(WARM_UP, warmUp)
                .addBlocking(NEW_NAMES, names::lookUpNew)
                .addBlocking(ALL_NAMES, names::lookUpAll);
    }

    /** Present when Aether counts the requests of Spring's blocking interceptors itself. */
    static final class BlockingRequestsCounted {}
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.core.NanoClock;
import io.aether.starter.context.IgnoredHeaders;
import io.aether.starter.housekeeping.Housekeeping;
import io.aether.starter.housekeeping.Tasks;
import io.aether.starter.server.Arrivals;
import io.aether.starter.server.CpuQueue;
import io.aether.starter.server.HandlerPriorities;
import io.aether.starter.server.LoadHeader;
import io.aether.starter.server.OwnQueue;
import io.aether.starter.server.ProcessCpu;
import io.aether.starter.server.QueueReporter;
import io.aether.starter.server.ServerEntry;
import io.aether.starter.server.ServerGate;
import io.aether.starter.server.ServerLoad;
import io.aether.starter.server.ServerWatch;
import io.aether.starter.server.Users;
import io.aether.starter.server.Workers;
import io.aether.starter.server.gateway.Ingress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** The server's half of backpressure, in applications that serve HTTP; the filters come with the kind of server. */
@AutoConfiguration(after = {AetherAutoConfiguration.class, AetherServerGatewayAutoConfiguration.class})
@ConditionalOnWebApplication
@ConditionalOnBean(Housekeeping.class)
@EnableConfigurationProperties(AetherServerProperties.class)
public final class AetherServerAutoConfiguration {
    private static final Duration TICK = Duration.ofMillis(20);
    private static final Duration LOAD = Duration.ofMillis(100);
    private static final Duration AGENT = Duration.ofSeconds(5);

    @Bean
    @ConditionalOnMissingBean
    ServerLoad aetherServerLoad() {
        return new ServerLoad();
    }

    @Bean
    @ConditionalOnMissingBean
    CpuQueue aetherCpuQueue(ServerLoad load) {
        return new CpuQueue(
                load, ProcessCpu::nanos, ProcessCpu::usage, Runtime.getRuntime().availableProcessors());
    }

    @Bean
    @ConditionalOnMissingBean
    OwnQueue aetherOwnQueue(ServerLoad load, CpuQueue cpu, NanoClock clock, ObjectProvider<Workers> workers) {
        OwnQueue queue = new OwnQueue(load, cpu, clock);
        workers.ifAvailable(queue::workedBy); // Of the application; those of an embedded Tomcat are found later.
        return queue;
    }

    @Bean
    @ConditionalOnMissingBean
    ServerGate aetherServerGate(ServerLoad load, AetherServerProperties properties) {
        Duration objective = properties.objective();
        return new ServerGate(load, properties.mode(), objective == null ? 0 : objective.toNanos());
    }

    @Bean
    @ConditionalOnMissingBean
    IgnoredHeaders aetherIgnoredHeaders() {
        return new IgnoredHeaders();
    }

    @Bean
    @ConditionalOnMissingBean
    HandlerPriorities aetherHandlerPriorities() {
        return new HandlerPriorities();
    }

    @Bean
    @ConditionalOnMissingBean
    Users aetherUsers(AetherServerProperties properties) {
        return new Users(InstantSource.system(), properties.user().header());
    }

    @Bean
    @ConditionalOnMissingBean
    Arrivals aetherArrivals(
            AetherServerProperties properties,
            HandlerPriorities handlers,
            Users users,
            IgnoredHeaders ignored,
            ObjectProvider<Ingress> ingress) {
        boolean inside = ingress.getIfAvailable() == null;
        return new Arrivals(ArrivalSettings.of(properties, inside), handlers, users, ignored);
    }

    @Bean
    @ConditionalOnMissingBean
    ServerEntry aetherServerEntry(
            ServerLoad load,
            OwnQueue queue,
            ServerGate gate,
            Arrivals arrivals,
            ObjectProvider<LoadHeader> header,
            AetherServerProperties properties,
            NanoClock clock) {
        LoadHeader told = header.getIfAvailable();
        Supplier<@Nullable String> report = told == null ? () -> null : told::value;
        return new ServerEntry(load, queue, gate, arrivals, report, properties.tellLoad(), clock);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBooleanProperty("aether.server.load-report")
    LoadHeader aetherLoadHeader(ServerLoad load, OwnQueue queue, CpuQueue cpu, ServerGate gate, NanoClock clock) {
        return new LoadHeader(load, queue, cpu, gate, clock);
    }

    @Bean
    @ConditionalOnMissingBean
    QueueReporter aetherQueueReporter(AetherProperties properties, NanoClock clock) {
        Path table = properties.table().path().toAbsolutePath();
        return new QueueReporter(table.resolveSibling("apps"), clock);
    }

    @Bean
    @ConditionalOnMissingBean
    ServerWatch aetherServerWatch(
            ServerLoad load, OwnQueue queue, CpuQueue cpu, ServerGate gate, QueueReporter reporter, NanoClock clock) {
        return new ServerWatch(load, queue, cpu, gate, reporter, clock);
    }

    @Bean
    @ConditionalOnClass(name = "org.springframework.boot.web.server.context.WebServerInitializedEvent")
    ServerStart aetherServerStart(QueueReporter reporter, ServerWatch watch) {
        return new ServerStart(reporter, watch);
    }

    @Bean
    Tasks aetherServerTasks(ServerWatch watch, ObjectProvider<LoadHeader> header) {
        Tasks tasks = new Tasks().add(TICK, watch::tick).addBlocking(AGENT, watch::lookForAgent);
        header.ifAvailable(told -> tasks.add(LOAD, told::tick));
        return tasks;
    }
}

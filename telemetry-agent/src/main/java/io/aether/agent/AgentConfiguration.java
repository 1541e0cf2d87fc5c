// SPDX-License-Identifier: Apache-2.0
package io.aether.agent;

import io.aether.agent.cgroup.CgroupFinder;
import io.aether.core.NanoClock;
import java.nio.file.Path;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What tests replace: the clock and the file system. */
@Configuration(proxyBeanMethods = false)
class AgentConfiguration {
    @Bean
    NanoClock clock() {
        return NanoClock.system();
    }

    @Bean
    InstantSource wallClock() {
        return InstantSource.system();
    }

    @Bean
    CgroupFinder cgroupFinder() {
        return new CgroupFinder(Path.of("/"));
    }
}

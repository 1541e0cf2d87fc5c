// SPDX-License-Identifier: Apache-2.0
package io.aether.agent;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** The agent of one node: writes the health table from what the kernel programs see, and serves it over HTTP. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class AgentApplication {
    public static void main(String[] args) {
        SpringApplication.run(AgentApplication.class, args);
    }
}

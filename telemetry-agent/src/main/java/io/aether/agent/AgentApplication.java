// SPDX-License-Identifier: Apache-2.0
package io.aether.agent;

import io.aether.agent.doctor.Doctor;
import java.util.Arrays;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** The agent of one node: writes the health table from what the kernel programs see, and serves it over HTTP. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class AgentApplication {
    /** {@code doctor} as the first argument looks at this machine instead, without starting anything. */
    public static void main(String[] args) {
        if (args.length > 0 && args[0].equals("doctor")) {
            System.exit(Doctor.run(Arrays.copyOfRange(args, 1, args.length), System.out, System.err));
        }
        SpringApplication.run(AgentApplication.class, args);
    }
}

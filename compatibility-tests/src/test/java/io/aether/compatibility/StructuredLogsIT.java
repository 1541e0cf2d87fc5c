// SPDX-License-Identifier: Apache-2.0
package io.aether.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** With Spring Boot's structured logging, what a message is about stands in fields. */
@ExtendWith(OutputCaptureExtension.class)
class StructuredLogsIT {

    @Test
    void whatChoicesRestOnIsAField(CapturedOutput output) {
        try (ConfigurableApplicationContext app = Start.app(
                App.class,
                WebApplicationType.NONE,
                List.of(),
                "logging.level.io.aether=info",
                "logging.structured.format.console=logstash")) {
            await().untilAsserted(() -> assertThat(output.toString().lines())
                    .as("of " + app)
                    .anySatisfy(line -> assertThat(line)
                            .startsWith("{")
                            .contains(
                                    "\"message\":\"Aether picks on application signals alone. ",
                                    "\"aether.table.state\":\"absent\"",
                                    "\"aether.table.path\":\"/nonexistent/aether/health\"")));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {}
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aether.starter.testing.Apps;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;

/** Settings that are checked after their binding stop the application with their name, too, and without a stack trace. */
@ExtendWith(OutputCaptureExtension.class)
class WrongSettingTests {

    @Test
    void aWrongPatternOfPathsIsNamed(CapturedOutput output) {
        assertStops(output, WebApplicationType.NONE, "aether.services.shop.limit.groups.orders", "orders");
    }

    @Test
    void aWrongRouteIsNamed(CapturedOutput output) {
        assertStops(output, WebApplicationType.SERVLET, "aether.server.routes[0].path", "/{");
    }

    private static void assertStops(CapturedOutput output, WebApplicationType type, String name, String value) {
        assertThatThrownBy(() -> Apps.start(App.class, type, List.of(), name + "=" + value))
                .hasStackTraceContaining(WrongSettingException.class.getName());
        assertThat(output)
                .contains("APPLICATION FAILED TO START", name.replaceAll("\\.orders$", ""), "\"" + value + "\"")
                .doesNotContain("\tat ");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {}
}

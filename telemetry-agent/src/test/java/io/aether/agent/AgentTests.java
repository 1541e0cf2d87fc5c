// SPDX-License-Identifier: Apache-2.0
package io.aether.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.jayway.jsonpath.JsonPath;
import io.aether.agent.probe.TableInUseException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.json.BasicJsonTester;
import org.springframework.context.ConfigurableApplicationContext;

/** The agent as a whole, without any kernel program: no privileges needed. */
class AgentTests {
    private final BasicJsonTester json = new BasicJsonTester(getClass());

    @TempDir
    Path directory;

    @Test
    void servesWithoutAnyProbe() throws Exception {
        try (ConfigurableApplicationContext agent = start(directory.resolve("health"))) {
            HttpResponse<String> health = get(agent, "/actuator/health");
            HttpResponse<String> endpoints = get(agent, "/api/v1/endpoints");

            assertThat(health.statusCode()).isEqualTo(200);
            assertThat(json.from(health.body()))
                    .hasJsonPath("$.components.aether.details.state")
                    .hasJsonPath("$.components.aether.details.degraded")
                    .hasJsonPath("$.components.aether.details.probes");
            assertThat(endpoints.statusCode()).isEqualTo(200);
            assertThat(json.from(endpoints.body()))
                    .hasJsonPath("$.agent.state")
                    .hasJsonPath("$.agent.reason")
                    .hasJsonPath("$.agent.fix")
                    .hasJsonPath("$.agent.cgroup")
                    .hasJsonPath("$.agent.table")
                    .extractingJsonPathArrayValue("$.peers")
                    .isEmpty();
            assertThat(get(agent, "/actuator/prometheus").body()).contains("aether_ebpf_agent_up");
        }
    }

    @Test
    void isOutOfServiceWithTheReasonWhenTheTableCannotBeWritten() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        Path table = file.resolve("health");

        try (ConfigurableApplicationContext agent = start(table)) {
            HttpResponse<String> health = get(agent, "/actuator/health");

            assertThat(health.statusCode()).isEqualTo(503);
            assertThat(json.from(health.body()))
                    .extractingJsonPathStringValue("$.components.aether.status")
                    .isEqualTo("OUT_OF_SERVICE");
            assertThat(json.from(health.body()))
                    .extractingJsonPathStringValue("$.components.aether.details.reason")
                    .contains(table.toString());
            assertThat(json.from(health.body()))
                    .extractingJsonPathStringValue("$.components.aether.details.fix")
                    .contains("aether.agent.table-path");
            assertThat(get(agent, "/api/v1/endpoints").statusCode()).isEqualTo(200);
            assertThat(get(agent, "/actuator/prometheus").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void refusesToShareATable() {
        Path table = directory.resolve("health");

        try (ConfigurableApplicationContext first = start(table)) {
            assertThat(first.isRunning()).isTrue();
            assertThatThrownBy(() -> start(table))
                    .rootCause()
                    .isInstanceOf(TableInUseException.class)
                    .hasMessageContaining(table.toString());
        }
        start(table).close();
    }

    @Test
    void namesAWrongValue() {
        assertThatThrownBy(() -> start(directory.resolve("health"), "--aether.agent.slots=1000"))
                .rootCause()
                .hasMessageContaining("aether.agent.slots must be a power of two");
        assertThatThrownBy(() -> start(directory.resolve("health"), "--aether.agent.congested-rtt=1ms"))
                .rootCause()
                .hasMessageContaining("aether.agent.congested-rtt must be between 2ms and 10s");
        assertThatThrownBy(
                        () -> start(directory.resolve("health"), "--aether.agent.probes.health.prefixes=10.0.0.0/33"))
                .rootCause()
                .hasMessageContaining("aether.agent.probes.health.prefixes must be");
        assertThatThrownBy(() -> start(directory.resolve("health"), "--aether.agent.probes.ecn.mark-all=5ms"))
                .rootCause()
                .hasMessageContaining("aether.agent.probes.ecn.mark-from must be between 1ms and 10s, and shorter");
        assertThatThrownBy(() -> start(directory.resolve("health"), "--aether.agent.probes.ecn.scrub-prefixes=ten"))
                .rootCause()
                .hasMessageContaining("aether.agent.probes.ecn.scrub-prefixes must be");
    }

    @Test
    void documentsEveryProperty() throws IOException {
        String metadata = new String(
                AgentProperties.class
                        .getResourceAsStream("/META-INF/spring-configuration-metadata.json")
                        .readAllBytes(),
                StandardCharsets.UTF_8);

        List<Map<String, Object>> properties = JsonPath.read(metadata, "$.properties[?(@.name =~ /aether.agent.*/)]");

        assertThat(properties)
                .hasSizeGreaterThan(8)
                .allSatisfy(property ->
                        assertThat(property).as("%s", property.get("name")).containsKey("description"));
    }

    private static ConfigurableApplicationContext start(Path table, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--aether.agent.table-path=" + table,
                "--aether.agent.probes.flow.enabled=false",
                "--aether.agent.probes.queue.enabled=false",
                "--aether.agent.probes.sched.enabled=false",
                "--aether.agent.probes.health.enabled=false",
                "--aether.agent.probes.http.enabled=false",
                "--aether.agent.probes.tls.enabled=false",
                "--aether.agent.probes.ecn.enabled=false"));
        arguments.addAll(List.of(more));
        return SpringApplication.run(AgentApplication.class, arguments.toArray(String[]::new));
    }

    private static HttpResponse<String> get(ConfigurableApplicationContext agent, String path)
            throws IOException, InterruptedException {
        String port = agent.getEnvironment().getRequiredProperty("local.server.port");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }
}

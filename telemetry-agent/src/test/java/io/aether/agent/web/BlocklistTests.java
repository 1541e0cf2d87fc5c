// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aether.agent.AgentApplication;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** What the block list's interface refuses, and why; no privileges needed. */
class BlocklistTests {
    private static final String TOKEN = "a-token-of-some-length";
    private static final String ONE = "{\"block\":[\"203.0.113.0/24\"]}";

    @TempDir
    Path directory;

    private ConfigurableApplicationContext start(String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("--server.port=0", "--aether.agent.table-path=" + directory.resolve("health")));
        for (String probe : List.of("flow", "queue", "sched", "health")) {
            arguments.add("--aether.agent.probes." + probe + ".enabled=false");
        }
        arguments.addAll(List.of(more));
        return SpringApplication.run(AgentApplication.class, arguments.toArray(String[]::new));
    }

    private static HttpResponse<String> send(
            ConfigurableApplicationContext agent, String method, String token, String body)
            throws IOException, InterruptedException {
        String port = agent.getEnvironment().getRequiredProperty("local.server.port");
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port + "/api/v1/blocklist"))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** The answer to the head of a request whose body never comes. */
    private static String statusLine(ConfigurableApplicationContext agent, String header) throws IOException {
        int port = Integer.parseInt(agent.getEnvironment().getRequiredProperty("local.server.port"));
        try (Socket socket = new Socket("127.0.0.1", port)) {
            String head = "POST /api/v1/blocklist HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Authorization: Bearer " + TOKEN + "\r\n" + header + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(US_ASCII));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII)).readLine();
        }
    }

    @Test
    void refusesChangesWhileNoTokenIsConfigured() throws Exception {
        try (ConfigurableApplicationContext agent = start()) {
            assertThat(send(agent, "GET", "", "").statusCode()).isEqualTo(200);
            for (String method : List.of("POST", "PUT", "DELETE")) {
                HttpResponse<String> answer = send(agent, method, TOKEN, ONE);
                assertThat(answer.statusCode()).isEqualTo(403);
                assertThat(answer.body()).contains("no token is configured", "set aether.agent.token");
            }
        }
    }

    @Test
    void wantsTheTokenBeforeItReadsAnything() throws Exception {
        try (ConfigurableApplicationContext agent = start("--aether.agent.token=" + TOKEN)) {
            HttpResponse<String> none = send(agent, "POST", "", "no json");
            HttpResponse<String> wrong = send(agent, "DELETE", TOKEN + "x", "");
            assertThat(List.of(none.statusCode(), wrong.statusCode())).containsOnly(401);
            assertThat(none.headers().firstValue("WWW-Authenticate")).contains("Bearer");
            assertThat(none.body()).contains("Authorization: Bearer TOKEN");
            assertThat(wrong.body()).contains("this is not the agent's token").doesNotContain(TOKEN);
        }
    }

    @Test
    void readsTheTokenFileForEachChange() throws Exception {
        Path file = directory.resolve("token");
        try (ConfigurableApplicationContext agent = start("--aether.agent.token-file=" + file)) {
            assertThat(send(agent, "POST", TOKEN, ONE).body()).contains("403", file.toString(), "cannot be read");
            Files.writeString(file, "short\n");
            assertThat(send(agent, "POST", TOKEN, ONE).body()).contains("403", "less than 16 characters");
            Files.writeString(file, TOKEN + "\n");
            assertThat(send(agent, "POST", TOKEN, ONE).statusCode()).isEqualTo(409);
            assertThat(send(agent, "POST", "another-token-of-length", ONE).statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void saysWhatIsWrongWithARequest() throws Exception {
        try (ConfigurableApplicationContext agent = start("--aether.agent.token=" + TOKEN)) {
            assertWrong(agent, "{\"block\":[\"10.0.0.0/8\",\"10.0.0.0/33\"]}", "block[1]: '10.0.0.0/33' has no prefix");
            assertWrong(agent, "{\"allow\":[\"10.0.0.1/8\"]}", "allow[0]", "did you mean 10.0.0.0/8?");
            assertWrong(agent, "{\"block\":[null]}", "block[0]: 'null' is not a network");
            assertWrong(agent, "{\"blocks\":[]}", "name networks in");
            assertWrong(agent, "{\"block\":", "the body must be JSON such as");
            assertWrong(agent, "", "the body must be JSON such as");
            for (String ttl : List.of("600", "-1s", "soon", "0s", "4000d", "PT99999999999999999H")) {
                assertWrong(agent, "{\"block\":[\"10.0.0.0/8\"],\"ttl\":\"" + ttl + "\"}", "ttl must be", ttl);
            }
            assertThat(statusLine(agent, "Transfer-Encoding: chunked")).contains(" 411 ");
            assertThat(statusLine(agent, "Content-Length: " + ((32 << 20) + 1))).contains(" 413 ");
            assertThat(send(agent, "DELETE", TOKEN, "").body()).contains("400", "cidr");
            HttpResponse<String> off = send(agent, "POST", TOKEN, ONE);
            assertThat(off.statusCode()).isEqualTo(409);
            assertThat(off.body()).contains("no interface is named", "aether.agent.guard.interfaces");
        }
    }

    private static void assertWrong(ConfigurableApplicationContext agent, String body, String... words)
            throws IOException, InterruptedException {
        HttpResponse<String> answer = send(agent, "POST", TOKEN, body);
        assertThat(answer.statusCode()).as(body).isEqualTo(400);
        assertThat(answer.body()).as(body).contains(words);
    }

    @Test
    void namesAWrongProperty() {
        assertWrongProperty(
                "--aether.agent.guard.management-prefixes=10.0.0.0/33", "management-prefixes: '10.0.0.0/33'");
        assertWrongProperty("--aether.agent.guard.block=x", "aether.agent.guard.block: 'x'");
        assertWrongProperty("--aether.agent.guard.interfaces=much-too-long-a-name", "interfaces must be names");
        assertWrongProperty("--aether.agent.guard.syn-rate=0", "synRate");
        assertWrongProperty("--aether.agent.token=short", "aether.agent.token must have at least 16 characters");
        assertThatThrownBy(() -> start("--aether.agent.guard.interfaces=eth9", "--aether.agent.guard.mode=enforce"))
                .rootCause()
                .hasMessageContaining("management-prefixes must name the networks from which this node is operated");
    }

    private void assertWrongProperty(String argument, String words) {
        assertThatThrownBy(() -> start(argument)).as(argument).rootCause().hasMessageContaining(words);
    }
}

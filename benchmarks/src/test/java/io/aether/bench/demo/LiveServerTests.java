// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LiveServerTests {

    private static final String OWN = "Host: 127.0.0.1:8080";
    private static final String JSON = "Content-Type: application/json; charset=utf-8";

    private final List<String> pressed = new ArrayList<>();
    private LiveServer server;

    @BeforeEach
    void start() throws IOException {
        server = LiveServer.start(0, new Recorder());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void thePageLooksAndPresses() throws IOException {
        assertThat(send("GET /state", OWN)).contains("200", "{\"arm\":\"kernel\"}");
        for (String path : List.of("arms/kernel", "faults/pause/on", "agent/off", "figures/forget")) {
            assertThat(send("POST /" + path, OWN, "Origin: http://127.0.0.1:8080", "Sec-Fetch-Site: same-origin", JSON))
                    .startsWith("HTTP/1.1 200");
        }
        assertThat(pressed).containsExactly("arm kernel", "pause true", "agent false", "forget");
    }

    @Test
    void aProgramWithoutOriginMay() throws IOException {
        assertThat(send("POST /arms/kernel", "Host: localhost", JSON)).startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host: 127.0.0.1:8080\nOrigin: http://example.org",
                "Host: 127.0.0.1:8080\nOrigin: http://127.0.0.1:9464",
                "Host: 127.0.0.1:8080\nOrigin: null",
                "Host: 127.0.0.1:8080\nSec-Fetch-Site: cross-site",
                "Host: example.org\nOrigin: http://example.org",
                "Host: 127.0.0.1.example.org:8080",
            })
    void whatAnotherPageSendsIsRefused(String headers) throws IOException {
        assertThat(send("POST /faults/pause/on", (headers + "\n" + JSON).split("\n", -1)))
                .startsWith("HTTP/1.1 403")
                .contains("error");
        assertThat(send("GET /state", headers.split("\n", -1))).startsWith("HTTP/1.1 403");
        assertThat(pressed).isEmpty();
    }

    @Test
    void aFormOfAnotherPageIsRefused() throws IOException {
        assertThat(send("POST /arms/kernel", OWN, "Content-Type: text/plain")).startsWith("HTTP/1.1 415");
        assertThat(send("POST /arms/kernel", OWN)).startsWith("HTTP/1.1 415");
        assertThat(pressed).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"arms/none", "faults/pause/maybe", "faults/pause", "agent", "", "elsewhere"})
    void whatIsNotThereIsNamed(String path) throws IOException {
        assertThat(send("POST /" + path, OWN, JSON)).startsWith("HTTP/1.1 400").contains("error");
    }

    @Test
    void whatFailsSaysWhyWhateverItHolds() throws IOException {
        assertThat(send("POST /arms/broken", OWN, JSON))
                .startsWith("HTTP/1.1 500")
                .endsWith("{\"error\":\"\\\"<b>\\u000a\\\\\"}");
        assertThat(send("GET /elsewhere", OWN)).startsWith("HTTP/1.1 404");
    }

    private String send(String request, String... headers) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            String text = request + " HTTP/1.1\r\n" + String.join("\r\n", headers)
                    + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(text.getBytes(US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), US_ASCII);
        }
    }

    private final class Recorder implements LiveServer.Board {

        @Override
        public String state() {
            return "{\"arm\":\"kernel\"}";
        }

        @Override
        public void arm(String name) throws IOException {
            if (name.equals("broken")) {
                throw new IOException("\"<b>\n\\");
            }
            if (!name.equals("kernel")) {
                throw new IllegalArgumentException("no arm " + name);
            }
            pressed.add("arm " + name);
        }

        @Override
        public void fault(String name, boolean on) {
            pressed.add(name + " " + on);
        }

        @Override
        public void agent(boolean on) {
            pressed.add("agent " + on);
        }

        @Override
        public void forget() {
            pressed.add("forget");
        }
    }
}

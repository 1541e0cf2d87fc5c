// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Answers inside TLS: netty-tcnative in two JVMs, whose library files are deleted, and OpenSSL's own tools. */
@RequiresKernel
@ExtendWith(SharedWatch.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TlsIT {
    private static final int PAGES_PORT = 4433;
    private static final int RAW_PORT = 4434;

    private final Watch watch;
    private final Cable cable;
    private Certificate certificate;
    private WebPair web;

    TlsIT(Watch watch, Cable cable) {
        this.watch = watch;
        this.cable = cable;
    }

    @BeforeAll
    void start() {
        certificate = new Certificate();
        web = new WebPair(watch, cable, certificate.options());
        // The library comes with the first connection, and the probes with the next look.
        int port = web.serve("https");
        Seen.after(
                () -> web.get("https", Cable.SERVER, port, 200, 0, 1),
                List.of(() -> web.peer(Cable.SERVER, port), () -> web.local(port)));
    }

    @AfterAll
    void stop() {
        web.close();
        certificate.close();
    }

    @Test
    void countsClassesAndTimesTheFirstByteInBothJvms() {
        int port = web.serve("https");
        web.get("https", Cable.SERVER, port, 200, 50, 12);
        web.get("https", Cable.SERVER6, port, 404, 50, 5);
        web.get("https", Cable.SERVER, port, 503, 50, 3);

        new Answers(12, 0, 3, 0).await("peer", () -> web.peer(Cable.SERVER, port));
        new Answers(0, 5, 0, 0).await("peer over IPv6", () -> web.peer(Cable.SERVER6, port));
        new Answers(12, 5, 3, 0).await("listener", () -> web.local(port));
        assertThat(web.peer(Cable.SERVER, port).ttfbMicros).isBetween(50_000L, 90_000L);
        assertThat(web.local(port).ttfbMicros).isBetween(48_000L, 90_000L);
        assertThat(watch.probes().counters().unmatchedAnswers()).isZero();
    }

    @Test
    void knowsTheStaticStatusesOfHttp2() {
        int port = web.serve("h2");
        web.get("h2", Cable.SERVER, port, 200, 0, 1);
        web.get("h2", Cable.SERVER, port, 200, 20, 8);
        web.get("h2", Cable.SERVER, port, 500, 20, 4);
        web.get("h2", Cable.SERVER, port, 503, 20, 2);

        Shell.await(
                3_000,
                () -> web.peer(Cable.SERVER, port).classUnknown == 2 && web.local(port).classUnknown == 2,
                () -> "the two of 503, peer " + Answers.of(web.peer(Cable.SERVER, port)) + ", listener "
                        + Answers.of(web.local(port)));
        assertThat(web.peer(Cable.SERVER, port).class2xx).isBetween(8L, 9L);
        assertThat(web.peer(Cable.SERVER, port).class5xx).isEqualTo(4);
        assertThat(web.local(port).class5xx).isEqualTo(4);
    }

    @Test
    void knowsTheSystemsOpenSsl() {
        // The server's pages go past SSL_read and SSL_write; curl's calls do not.
        try (Tool pages = new Tool(cable.server(), openSsl(PAGES_PORT, "-www"))) {
            long first = Seen.after(() -> curl(PAGES_PORT), List.of(() -> web.peer(Cable.SERVER, PAGES_PORT))).class2xx;
            for (int i = 0; i < 5; i++) {
                curl(PAGES_PORT);
            }
            assertThat(pages.runs()).isTrue();
            new Answers(first + 5, 0, 0, 0).await("peer", () -> web.peer(Cable.SERVER, PAGES_PORT));
            assertThat(web.peer(Cable.SERVER, PAGES_PORT).ttfbMicros).isPositive();

            String answer = "sleep 3; printf 'HTTP/1.1 404 Not Found\\r\\nContent-Length: 0\\r\\n\\r\\n'; sleep 3";
            String[] command = openSsl(RAW_PORT, "-quiet", "-naccept", "1");
            try (Tool raw =
                    new Tool(cable.server(), "sh", "-c", "(" + answer + ") | exec " + String.join(" ", command))) {
                assertThat(raw.runs()).isTrue();
                curl(RAW_PORT);
                new Answers(0, 1, 0, 0).await("listener", () -> web.local(RAW_PORT));
                assertThat(web.local(RAW_PORT).ttfbMicros).isBetween(100_000L, 3_100_000L);
            }
        }
    }

    private String[] openSsl(int port, String... options) {
        List<String> command = new ArrayList<>(List.of("openssl", "s_server", "-accept", Integer.toString(port)));
        command.addAll(List.of(
                "-key",
                certificate.key().toString(),
                "-cert",
                certificate.chain().toString()));
        command.addAll(List.of(options));
        return command.toArray(String[]::new);
    }

    private void curl(int port) {
        Tool.run(
                cable.client(),
                "curl",
                "-sSk",
                "--http1.1",
                "--max-time",
                "10",
                "--retry",
                "10",
                "--retry-connrefused",
                "https://" + Cable.SERVER + ":" + port + "/");
    }

    @Test
    void letsGoOfTheLibraryOfAJvmThatEnds() {
        int port = web.serve("https");
        try (Watch own = new Watch()) {
            Shell.await(20_000, () -> libraries(own) >= 2, () -> libraries(own) + " libraries, two JVMs");
            Shell.pause(2_500); // Whatever else is to be found is found by then.
            long before = libraries(own);
            try (Traffic third = Traffic.web(cable.client())) {
                third.tell("get https " + Cable.SERVER + " " + port + " 200 0 1");
                Shell.await(20_000, () -> libraries(own) == before + 1, () -> libraries(own) + ", before " + before);
                assertThat(own.probes().counters().jvms()).isGreaterThanOrEqualTo(3);
            }
            Shell.await(20_000, () -> libraries(own) == before, () -> libraries(own) + ", before " + before);
            assertThat(own.probes().counters().libraryFailures()).isZero();
        }
    }

    private static long libraries(Watch watch) {
        return watch.probes().counters().libraries();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.table.EndpointHealth;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Plaintext answers as a peer's clients and as the listener's own node see them. */
@RequiresKernel
@ExtendWith(SharedWatch.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HttpIT {
    private final Watch watch;
    private final Cable cable;
    private WebPair web;

    HttpIT(Watch watch, Cable cable) {
        this.watch = watch;
        this.cable = cable;
    }

    @BeforeAll
    void start() {
        web = new WebPair(watch, cable);
    }

    @AfterAll
    void stop() {
        web.close();
    }

    @Test
    void countsClassesAndTimesTheFirstByteOnBothSides() {
        int port = web.serve("http");
        web.get("http", Cable.SERVER, port, 200, 50, 20);
        web.get("http", Cable.SERVER, port, 302, 50, 2);
        web.get("http", Cable.SERVER, port, 404, 50, 5);
        web.get("http", Cable.SERVER, port, 503, 50, 3);

        Answers expected = new Answers(22, 5, 3, 0);
        awaitPeer(Cable.SERVER, port, expected);
        awaitLocal(port, expected);
        assertThat(web.peer(Cable.SERVER, port).ttfbMicros).isBetween(50_000L, 90_000L);
        assertThat(web.local(port).ttfbMicros).isBetween(49_000L, 90_000L);
    }

    @Test
    void isOneViewOfAllClientsWhateverTheirSocketsFamily() {
        int port = web.serve("http");
        try (Traffic plain = Traffic.web(cable.client(), "-Djava.net.preferIPv4Stack=true")) {
            web.get("http", Cable.SERVER, port, 200, 0, 10);
            plain.tell("get http " + Cable.SERVER + " " + port + " 500 0 5");
            web.get("http", Cable.SERVER6, port, 404, 0, 7);

            awaitPeer(Cable.SERVER, port, new Answers(10, 0, 5, 0));
            awaitPeer(Cable.SERVER6, port, new Answers(0, 7, 0, 0));
            awaitLocal(port, new Answers(10, 7, 5, 0));
            assertThat(web.peer("::ffff:" + Cable.SERVER, port).class2xx).isEqualTo(10);
        }
    }

    @Test
    void tellsTheRateOfAnswersAndItsEnd() {
        int port = web.serve("http");
        web.get("http", Cable.SERVER, port, 200, 10, 150);
        assertThat(web.peer(Cable.SERVER, port).answersPerSecond).isBetween(20L, 100L);
        Shell.await(4_000, () -> web.peer(Cable.SERVER, port).answersPerSecond == 0, () -> "no answers any longer");
    }

    @Test
    void knowsTheStaticStatusesOfHttp2() {
        int port = web.serve("h2c");
        // The first one travels behind the connection's preface, where nobody looks.
        web.get("h2c", Cable.SERVER, port, 200, 0, 1);
        web.get("h2c", Cable.SERVER, port, 200, 30, 10);
        web.get("h2c", Cable.SERVER, port, 404, 30, 4);
        web.get("h2c", Cable.SERVER, port, 500, 30, 3);
        web.get("h2c", Cable.SERVER, port, 503, 30, 2);

        Shell.await(
                3_000,
                () -> web.peer(Cable.SERVER, port).classUnknown == 2 && web.local(port).classUnknown == 2,
                () -> "the two of 503, peer " + Answers.of(web.peer(Cable.SERVER, port)) + ", listener "
                        + Answers.of(web.local(port)));
        EndpointHealth peer = web.peer(Cable.SERVER, port);
        assertThat(peer.class2xx).isBetween(10L, 11L);
        assertThat(peer.class4xx).isEqualTo(4);
        assertThat(peer.class5xx).isEqualTo(3);
        assertThat(peer.classUnknown).isEqualTo(2);
        assertThat(peer.ttfbMicros).isBetween(30_000L, 60_000L);
        assertThat(web.local(port).class2xx).isBetween(10L, 11L);
    }

    @Test
    void waitsBehindAnInterimAnswerForTheRealOne() {
        int port = web.serve("http");
        Tool.run(
                cable.client(),
                "curl",
                "-sS",
                "-H",
                "Expect: 100-continue",
                "-d",
                "some=thing",
                "http://" + Cable.SERVER + ":" + port + "/200/60");

        awaitPeer(Cable.SERVER, port, new Answers(1, 0, 0, 0));
        awaitLocal(port, new Answers(1, 0, 0, 0));
        assertThat(web.peer(Cable.SERVER, port).ttfbMicros).isBetween(60_000L, 200_000L);
    }

    @Test
    void leavesOtherProtocolsAlone() {
        try (Traffic echo = new Traffic(cable.server());
                Traffic caller = new Traffic(cable.client())) {
            int port = Integer.parseInt(echo.tell("listen * 0"));
            String id = caller.tell("connect " + Cable.SERVER + " " + port);
            caller.tell("ping " + id + " 50");
            caller.tell("say " + id + " GET_some-key-that-is-long");
            caller.tell("say " + id + " GET_/looks/like/a/request_HTTP/1.1");
            caller.tell("say " + id + " GET_/");
            caller.tell("say " + id + " HTTP/1.1_200_but_nobody_asked");
            Shell.await(2_000, () -> web.peer(Cable.SERVER, port).pathTimeNanos > 0, () -> "the peer");

            Shell.pause(300);
            assertThat(web.peer(Cable.SERVER, port).httpTimeNanos).isZero();
            assertThat(web.local(port).httpTimeNanos).isZero();
        }
    }

    private void awaitPeer(String host, int port, Answers expected) {
        expected.await("peer", () -> web.peer(host, port));
    }

    private void awaitLocal(int port, Answers expected) {
        expected.await("listener", () -> web.local(port));
    }
}

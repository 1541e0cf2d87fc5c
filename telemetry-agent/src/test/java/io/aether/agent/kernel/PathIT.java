// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.table.EndpointHealth;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the path to a peer looks like, against a queue made for it and against what {@code ss} says. */
@RequiresKernel
@ExtendWith(SharedWatch.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PathIT {
    private static final Pattern SS_RTT = Pattern.compile(" rtt:([0-9.]+)/");

    private final Watch watch;
    private final Cable cable;
    private Traffic server;
    private Traffic client;
    private int port;

    PathIT(Watch watch, Cable cable) {
        this.watch = watch;
        this.cable = cable;
    }

    @BeforeAll
    void start() {
        server = new Traffic(cable.server());
        client = new Traffic(cable.client());
    }

    @AfterAll
    void stop() {
        client.close();
        server.close();
    }

    @BeforeEach
    void listen() {
        cable.squeeze("1gbit", 1_000_000);
        server.tell("mode echo");
        port = Integer.parseInt(server.tell("listen * 0"));
    }

    @Test
    void measuresTheRoundTripOfASlowLinkAndTheCongestionItMeans() {
        String id = client.tell("connect " + Cable.SERVER + " " + port);
        client.tell("ping " + id + " 50");
        Shell.await(2_000, () -> peer().srttMicros > 0, () -> "a first round trip");
        assertThat(peer().srttMicros).isLessThan(20_000);
        assertThat(peer().congested()).isFalse();
        assertThat(peer().pathConnections).isEqualTo(1);

        // 150 kB at 8 Mbit/s: a queue of 150 ms.
        cable.squeeze("8mbit", 150_000);
        server.tell("mode sink");
        client.tell("flood " + id);
        Shell.await(10_000, () -> peer().congested(), () -> "congested, RTT is " + peer().srttMicros + " us");
        Shell.await(10_000, () -> peer().srttMicros > 80_000, () -> "a long queue, RTT is " + peer().srttMicros);
        EndpointHealth slow = peer();
        double oracle = rttByTool();
        assertThat(slow.srttMicros / 1e3).isBetween(oracle / 2, oracle * 2);
        assertThat(slow.minRttMicros).isLessThan(20_000);
        assertThat(slow.inFlightBytes).isPositive();
        assertThat(slow.congestedSinceNanos).isPositive();

        client.tell("calm " + id);
        Shell.await(5_000, this::drained, () -> "an empty queue");
        server.tell("mode echo");
        client.tell("ping " + id + " 200");
        Shell.await(2_000, () -> !peer().congested(), () -> "not congested, RTT is " + peer().srttMicros + " us");
        client.tell("disconnect " + id);
        Shell.await(2_000, () -> peer().pathConnections == 0, () -> "no connection any more");
    }

    @Test
    void takesASlowServerForNoCongestedPath() {
        String id = client.tell("connect " + Cable.SERVER + " " + port);
        client.tell("ping " + id + " 5");
        for (int i = 0; i < 5; i++) {
            server.freeze();
            client.tell("send " + id + " 100");
            Shell.pause(30);
            server.thaw();
            client.tell("exchange " + id + " 100");
        }

        Shell.await(2_000, () -> peer().rttSamples > 5, () -> "round trips, got " + peer().rttSamples);
        assertThat(peer().congested()).isFalse();
        client.tell("disconnect " + id);
    }

    @Test
    void countsRetransmitsUnderLoss() {
        // Room for four packets: a burst of ten loses some.
        cable.squeeze("4mbit", 6_000);
        server.tell("mode sink");
        String id = client.tell("connect " + Cable.SERVER + " " + port);
        client.tell("flood " + id);

        Shell.await(
                10_000,
                () -> peer().retrans > 10 && peer().segsOut > peer().retrans && peer().retransPermille > 0,
                () -> "retransmits, got " + peer().retrans + " of " + peer().segsOut);
        assertThat(peer().retransPermille).isLessThan(1_000);
        client.tell("calm " + id);
        client.tell("disconnect " + id);
    }

    private EndpointHealth peer() {
        return watch.peer(cable.client(), Cable.SERVER, port);
    }

    /** No byte waits to be sent or acknowledged: the send queue column of {@code ss}. */
    private boolean drained() {
        String line = cable.client().sockets(port).strip();
        return line.isEmpty() || line.split("\\s+")[2].equals("0");
    }

    private double rttByTool() {
        Matcher rtt = SS_RTT.matcher(cable.client().sockets(port));
        assertThat(rtt.find()).isTrue();
        return Double.parseDouble(rtt.group(1));
    }
}

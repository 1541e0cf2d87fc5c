// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ServerRequestTests {

    private final FakeClock clock = new FakeClock();
    private final ServerLoad load = new ServerLoad();

    @BeforeEach
    void warm() {
        for (int i = 0; i < ServerLoad.COLD; i++) {
            begun().end(true);
        }
    }

    private ServerRequest begun() {
        ServerRequest request = new ServerRequest(load, clock);
        request.begin();
        return request;
    }

    private double serviceMillis() {
        return load.calmTime().nanos() / 1e6;
    }

    @Test
    void waitingForOthersIsNotOwnTime() {
        ServerRequest request = begun();
        clock.pass(3);
        request.callBegins();
        assertThat(load.own()).isZero();
        clock.pass(100);
        request.callEnds();
        assertThat(load.own()).isOne();
        clock.pass(4);
        request.end(true);
        assertThat(serviceMillis()).isEqualTo(7);
        assertThat(load.inFlight()).isZero();
        assertThat(load.answered()).isEqualTo(ServerLoad.COLD + 1);
    }

    @Test
    void callsThatOverlapCountOnce() {
        ServerRequest request = begun();
        request.callBegins();
        clock.pass(10);
        request.callBegins();
        clock.pass(10);
        request.callEnds();
        assertThat(load.downstream()).isOne();
        assertThat(request.waitedNanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
        clock.pass(10);
        request.callEnds();
        assertThat(load.downstream()).isZero();
        clock.pass(5);
        request.end(true);
        assertThat(serviceMillis()).isEqualTo(5);
    }

    @Test
    void aCallThatOutlivesItsRequestIsNobodys() {
        ServerRequest request = begun();
        clock.pass(2);
        request.callBegins();
        clock.pass(10);
        request.end(true);
        assertThat(load.downstream()).isZero();
        clock.pass(10);
        request.callEnds();
        request.callBegins();
        request.callEnds();
        request.end(true);
        assertThat(load.downstream()).isZero();
        assertThat(load.inFlight()).isZero();
        assertThat(load.answered()).isEqualTo(ServerLoad.COLD + 1);
        assertThat(serviceMillis()).isEqualTo(2);
    }

    @Test
    void endsWithoutABeginningAreIgnored() {
        ServerRequest request = begun();
        request.callEnds();
        request.callEnds();
        request.callBegins();
        assertThat(load.downstream()).isOne();
        request.end(true);
        assertThat(load.downstream()).isZero();
    }

    @Test
    void aClientThatWentAwaySaysNothingOfTheServiceTime() {
        ServerRequest request = begun();
        clock.pass(500);
        request.end(false);
        assertThat(serviceMillis()).isZero();
        assertThat(load.inFlight()).isZero();
    }

    @Test
    void timesOfABusyServerAreNotThoseOfACalmOne() {
        ServerRequest request = begun();
        load.calm(false);
        clock.pass(500);
        request.end(true);
        assertThat(serviceMillis()).isZero();
    }

    @Test
    void timesOfAColdServerSayNothing() {
        ServerLoad cold = new ServerLoad();
        for (int i = 0; i < ServerLoad.COLD; i++) {
            ServerRequest request = new ServerRequest(cold, clock);
            request.begin();
            clock.pass(1000);
            cold.held(1_000_000_000);
            request.end(true);
        }
        assertThat(cold.calmTime().nanos()).isZero();
        assertThat(cold.workerTime().nanos()).isZero();
        cold.held(1000);
        assertThat(cold.workerTime().nanos()).isEqualTo(1000);
    }

    @Test
    void theHighestPressureIsKeptWithinItsBounds() {
        ServerRequest request = begun();
        request.heard(-7);
        assertThat(request.heard()).isZero();
        request.heard(40);
        request.heard(12);
        assertThat(request.heard()).isEqualTo(40);
        request.heard(Integer.MAX_VALUE);
        assertThat(request.heard()).isEqualTo(255);
    }

    @Test
    void manyThreadsLoseNothing() throws Exception {
        ServerRequest request = begun();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int own = i;
            Thread thread = new Thread(() -> {
                for (int call = 0; call < 20_000; call++) {
                    request.callBegins();
                    clock.pass(0.001);
                    request.heard(own);
                    request.callEnds();
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(load.downstream()).isZero();
        // The clock moves only while a call is under way.
        assertThat(request.waitedNanos()).isBetween(0L, TimeUnit.MILLISECONDS.toNanos(160));
        assertThat(request.heard()).isEqualTo(7);
        request.end(true);
        assertThat(load.own()).isZero();
    }

    @Test
    void aFewCallsFollowOneThatPassedForAWhile() {
        ServerRequest request = begun();
        assertThat(request.follows("shop")).isFalse();
        request.passed("shop");
        request.passed("other");
        for (int i = 0; i < Followers.MOST; i++) {
            assertThat(request.follows("shop")).isTrue();
        }
        assertThat(request.follows("shop")).isFalse();
        assertThat(request.follows("other")).isTrue();
        assertThat(request.follows("third")).isFalse();
        clock.pass(TimeUnit.NANOSECONDS.toMillis(Followers.NANOS));
        assertThat(request.follows("other")).isFalse();
        request.passed("shop");
        assertThat(request.follows("shop")).isTrue();
        assertThat(request.follows("other")).isFalse();
    }
}

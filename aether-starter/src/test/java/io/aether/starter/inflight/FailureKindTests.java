// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.inflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import org.springframework.web.server.ResponseStatusException;

/** What an error says of an instance. */
class FailureKindTests {

    @Test
    void connectErrorsOfEveryClient() {
        assertThat(FailureKind.of(new ConnectException())).isEqualTo(FailureKind.CONNECT);
        assertThat(FailureKind.of(new UnknownHostException())).isEqualTo(FailureKind.CONNECT);
        assertThat(FailureKind.of(new HttpConnectTimeoutException("t"))).isEqualTo(FailureKind.CONNECT);
        assertThat(FailureKind.of(wrapped(new ConnectException()))).isEqualTo(FailureKind.CONNECT);
        assertThat(FailureKind.of(new IOException(new ConnectException()))).isEqualTo(FailureKind.CONNECT);
    }

    @Test
    void timeoutsOfEveryClient() {
        assertThat(FailureKind.of(new TimeoutException())).isEqualTo(FailureKind.TIMEOUT);
        assertThat(FailureKind.of(new SocketTimeoutException())).isEqualTo(FailureKind.TIMEOUT);
        assertThat(FailureKind.of(new HttpTimeoutException("t"))).isEqualTo(FailureKind.TIMEOUT);
        assertThat(FailureKind.of(new ResponseStatusException(
                        HttpStatus.GATEWAY_TIMEOUT,
                        null,
                        new org.springframework.cloud.gateway.support.TimeoutException())))
                .isEqualTo(FailureKind.TIMEOUT);
    }

    @Test
    void brokenConnections() {
        assertThat(FailureKind.of(wrapped(new IOException("reset")))).isEqualTo(FailureKind.IO);
    }

    @Test
    void theCallersOwnMistakesAreNotHeldAgainstTheInstance() {
        assertThat(FailureKind.of(new IllegalArgumentException())).isNull();
        assertThat(FailureKind.of(wrapped(new PoolAcquireTimeoutException()))).isNull();
    }

    @Test
    void aCycleOfCausesEnds() {
        RuntimeException one = new RuntimeException();
        RuntimeException two = new RuntimeException(one);
        one.initCause(two);
        assertThat(FailureKind.of(one)).isNull();
    }

    private static Throwable wrapped(Exception cause) {
        return new WebClientRequestException(cause, HttpMethod.GET, URI.create("http://shop"), new HttpHeaders());
    }

    /** Of the name that Reactor Netty's has: all connections of the pool are taken. */
    private static final class PoolAcquireTimeoutException extends TimeoutException {}
}

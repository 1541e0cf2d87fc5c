// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

/**
 * Which answers are counted. Immutable.
 *
 * @param http whether to load the http probe: plaintext HTTP, from the segments of sockets
 * @param tls whether to load the tls probe: HTTP inside TLS, from the calls of OpenSSL and netty-tcnative
 */
public record AnswerSettings(boolean http, boolean tls) {
    /** Both. */
    public static AnswerSettings defaults() {
        return new AnswerSettings(true, true);
    }
}

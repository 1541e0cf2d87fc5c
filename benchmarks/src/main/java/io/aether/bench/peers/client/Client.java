// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers.client;

/** One client, with a balancer of its own. Thread-safe. */
interface Client {
    /** After so long a request is given up. */
    int TIMEOUT_MILLIS = 1000;

    /** For a connection. */
    int CONNECT_MILLIS = 500;

    /** Sends a request and returns at once. */
    void send(End end);

    /** Is told once, by any thread, how a request ended. */
    interface End {
        /** By an answer. */
        void answered(int status);

        /** Without one. */
        void failed();
    }
}

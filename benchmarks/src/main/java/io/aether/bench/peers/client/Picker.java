// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers.client;

/** A balancer without a client: it is asked for a server and told what came of it. Thread-safe. */
interface Picker {
    /** No server. */
    int NOBODY = -1;

    /**
     * A server for the next request.
     *
     * @param not which one could not be reached just now, or {@link #NOBODY}
     */
    Pick pick(int not);

    /** A choice. One of the other methods is called once. */
    interface Pick {
        /** Its place in the list of servers. */
        int server();

        void answered(int status);

        /**
         * There is no answer.
         *
         * @param refused nobody listens there
         */
        void failed(boolean refused);
    }

    /** Whether an answer of that status says that something is wrong with the server. */
    static boolean wrong(int status) {
        return status >= 500 || status == 429;
    }
}

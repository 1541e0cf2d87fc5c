// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

/**
 * A server's pool of threads, each of which holds one request. Thread-safe; asked for each request. A reactive application that
 * works on its requests in a pool of its own has a bean of it, and tells {@link ServerLoad#held} how long each was held.
 */
public interface Workers {
    /** Of servers that have none, or one that cannot be looked at. */
    Workers UNKNOWN = new Workers() {
        @Override
        public int waiting() {
            return 0;
        }

        @Override
        public int most() {
            return 1;
        }
    };

    /** Requests that wait for a thread. */
    int waiting();

    /** Threads that there can be. */
    int most();

    /** Whether requests are judged when a thread takes them, so that those wait as well that will be refused. */
    default boolean judgedLate() {
        return true;
    }
}

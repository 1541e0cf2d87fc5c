// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.context;

/**
 * The request that a server works on, as its own calls to other services see it: they say when the request waits for them,
 * since that time is not the server's own work, and what pressure they heard of. Thread-safe; calls may overlap and may
 * end after the request did.
 */
public interface ServerWork {
    /** The most pressure there is: the service refuses. */
    int MOST_PRESSURE = 255;

    /** For threads that work on no request: nobody listens. */
    ServerWork NONE = new ServerWork() {
        @Override
        public void callBegins() {}

        @Override
        public void callEnds() {}

        @Override
        public void heard(int pressure) {}
    };

    /** From now on the request waits for one more downstream call. */
    void callBegins();

    /** One downstream call is over, whatever became of it; once for each {@link #callBegins()}. */
    void callEnds();

    /**
     * A branch that the request cannot do without answered that it is under pressure; the highest value goes into the answer.
     *
     * @param pressure 0 to {@link #MOST_PRESSURE}; others are taken for the nearest of these
     */
    void heard(int pressure);

    /** Whether a call of the request to this branch was let pass just now, so that another may follow it without being asked. */
    default boolean follows(Object branch) {
        return false;
    }

    /** A call of the request to this branch, which is limited, was let pass. */
    default void passed(Object branch) {}
}

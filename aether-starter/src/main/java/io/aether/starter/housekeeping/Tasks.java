// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.housekeeping;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What one part of Aether has to have done again and again, beside the requests: one bean for all of it, for every bean costs an
 * application's start. Not thread-safe: filled where it is made.
 */
public final class Tasks {

    private final List<Task> all = new ArrayList<>();

    /**
     * Something to be done again and again.
     *
     * @param period pause between two runs
     * @param mayBlock whether it waits for others, such as a name server; such tasks have a thread of their own
     * @param work the work; an exception is logged and the next run comes all the same
     */
    record Task(Duration period, boolean mayBlock, Runnable work) {}

    /** Adds work that waits for nobody, with a pause of {@code period} between two runs. */
    public Tasks add(Duration period, Runnable work) {
        all.add(new Task(period, false, work));
        return this;
    }

    /** Adds work that may wait for others, such as a name server, with a pause of {@code period} between two runs. */
    public Tasks addBlocking(Duration period, Runnable work) {
        all.add(new Task(period, true, work));
        return this;
    }

    void forEach(Consumer<Task> action) {
        all.forEach(action);
    }
}

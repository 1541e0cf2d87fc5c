// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.housekeeping;

import io.aether.starter.housekeeping.Tasks.Task;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Runs the {@link Tasks} of all such beans on two daemon threads, from the moment the application's beans are there until they go. */
public final class Housekeeping implements SmartInitializingSingleton, DisposableBean {

    private static final Log LOG = LogFactory.getLog(Housekeeping.class);

    private final ObjectProvider<Tasks> tasks;
    private final ScheduledThreadPoolExecutor quick = executor("aether-housekeeping");
    private final ScheduledThreadPoolExecutor blocking = executor("aether-resolver");

    /** Creates it; the container starts and stops it. */
    public Housekeeping(ObjectProvider<Tasks> tasks) {
        this.tasks = tasks;
    }

    @Override
    public void afterSingletonsInstantiated() {
        tasks.orderedStream().forEach(part -> part.forEach(this::start));
    }

    private void start(Task task) {
        if (!task.mayBlock()) {
            run(task);
        }
        long millis = task.period().toMillis();
        ScheduledThreadPoolExecutor executor = task.mayBlock() ? blocking : quick;
        Future<?> unused = executor.scheduleWithFixedDelay(() -> run(task), millis, millis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void destroy() {
        quick.shutdownNow();
        blocking.shutdownNow();
    }

    private static void run(Task task) {
        try {
            task.work().run();
        } catch (RuntimeException | LinkageError e) {
            // An exception would end the task for good.
            LOG.warn("Aether's housekeeping failed and will be tried again", e);
        }
    }

    private static ScheduledThreadPoolExecutor executor(String name) {
        return new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }
}

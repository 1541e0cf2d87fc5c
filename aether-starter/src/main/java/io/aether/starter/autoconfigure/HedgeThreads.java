// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import org.springframework.boot.thread.Threading;
import org.springframework.core.env.Environment;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.util.ClassUtils;

/** Threads for the attempts of hedged blocking calls: virtual where the application uses them, else pooled daemons that end when idle. */
final class HedgeThreads {

    private static final String PREFIX = "aether-hedged-";
    private static final boolean PROPAGATES =
            ClassUtils.isPresent("io.micrometer.context.ContextSnapshotFactory", HedgeThreads.class.getClassLoader());

    private HedgeThreads() {}

    static AsyncTaskExecutor of(Environment environment) {
        return Threading.VIRTUAL.isActive(environment) ? virtual() : pooled();
    }

    private static AsyncTaskExecutor virtual() {
        SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor(PREFIX);
        executor.setVirtualThreads(true);
        if (PROPAGATES) {
            executor.setTaskDecorator(new ContextPropagatingTaskDecorator());
        }
        return executor;
    }

    /** Unbounded, for callers wait: there are twice as many at most as threads that call, and those whose request cannot be ended. */
    private static AsyncTaskExecutor pooled() {
        ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
        executor.setThreadNamePrefix(PREFIX);
        executor.setDaemon(true);
        executor.setCorePoolSize(0);
        executor.setQueueCapacity(0);
        if (PROPAGATES) {
            executor.setTaskDecorator(new ContextPropagatingTaskDecorator());
        }
        executor.initialize();
        return executor;
    }
}

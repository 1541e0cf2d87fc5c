// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.hedge;

import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;

/** Looks at waiting calls when it is time to, on one daemon thread; nothing that it runs blocks. */
public final class HedgeThread implements HedgeTimer, DisposableBean {

    private static final Log LOG = LogFactory.getLog(HedgeThread.class);

    private final ScheduledThreadPoolExecutor executor;

    /** Creates the timer; its thread starts with the first call that is watched. */
    public HedgeThread() {
        executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "aether-hedge");
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
    }

    @Override
    public @Nullable Future<?> after(long nanos, Runnable look) {
        try {
            return executor.schedule(() -> run(look), nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            return null;
        }
    }

    private static void run(Runnable look) {
        try {
            look.run();
        } catch (RuntimeException | LinkageError e) {
            // The first attempt goes on as if nobody had looked.
            LOG.warn("Aether could not hedge a call", e);
        }
    }

    @Override
    public void destroy() {
        executor.shutdownNow();
    }
}

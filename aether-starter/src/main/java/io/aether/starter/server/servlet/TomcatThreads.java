// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server.servlet;

import io.aether.starter.server.OwnQueue;
import io.aether.starter.server.Workers;
import java.util.concurrent.Executor;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.WebServer;

/** Knows the threads of an embedded Tomcat. */
public final class TomcatThreads {

    private TomcatThreads() {}

    /** Looks at the threads of a server that has started; of one that is no Tomcat nothing is known. */
    public static void of(WebServer server, OwnQueue queue) {
        if (server instanceof TomcatWebServer tomcat) {
            of(tomcat.getTomcat().getConnector().getProtocolHandler().getExecutor(), queue);
        }
    }

    private static void of(Executor executor, OwnQueue queue) {
        if (executor instanceof ThreadPoolExecutor pool) {
            queue.workedBy(new Pool(pool));
        } else if (executor instanceof VirtualThreadExecutor) {
            queue.begunBy(executor);
        }
    }

    /** Tomcat's pool: it makes all of its threads before anything waits in its queue. */
    private record Pool(ThreadPoolExecutor pool) implements Workers {
        @Override
        public int waiting() {
            return pool.getQueue().size();
        }

        @Override
        public int most() {
            return pool.getMaximumPoolSize();
        }
    }
}

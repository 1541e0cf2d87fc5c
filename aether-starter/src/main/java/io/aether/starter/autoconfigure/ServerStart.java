// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.starter.server.QueueReporter;
import io.aether.starter.server.ServerWatch;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;

/** Notes the port that the application's server listens on; that of the management server, if it has one, is nobody's concern. */
final class ServerStart implements ApplicationListener<WebServerInitializedEvent> {
    private static final String MANAGEMENT = "management";

    private final QueueReporter reporter;
    private final ServerWatch watch;

    ServerStart(QueueReporter reporter, ServerWatch watch) {
        this.reporter = reporter;
        this.watch = watch;
    }

    static boolean isMain(WebServerInitializedEvent event) {
        return !MANAGEMENT.equals(event.getApplicationContext().getServerNamespace());
    }

    @Override
    public void onApplicationEvent(WebServerInitializedEvent event) {
        if (isMain(event)) {
            reporter.serving(event.getWebServer().getPort());
            watch.lookForAgent();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import io.aether.core.NanoClock;
import io.aether.core.publish.QueuePublisher;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The publishing half of {@link TrafficMain}: {@code publish DIRECTORY PORT RUNNING WAITING WAIT_MICROS [FROM_MICROS
 * ALL_MICROS]} tells these figures every 50 ms until told others.
 */
final class Publishing {
    private static final int PERIOD_MILLIS = 50;

    private static int[] figures = new int[3];
    private static String where = "";
    private static @Nullable QueuePublisher publisher;

    private Publishing() {}

    static synchronized String tell(String... words) throws IOException {
        if (publisher == null) {
            Thread thread = new Thread(Publishing::repeat, "publishing");
            thread.setDaemon(true);
            thread.start();
        }
        figures = new int[] {Integer.parseInt(words[3]), Integer.parseInt(words[4]), Integer.parseInt(words[5])};
        QueuePublisher open = at(words[1], Integer.parseInt(words[2]));
        if (words.length > 6) {
            open.thresholds(Integer.parseInt(words[6]), Integer.parseInt(words[7]));
        }
        publish();
        return open.file().toString();
    }

    private static QueuePublisher at(String directory, int port) throws IOException {
        QueuePublisher open = publisher;
        if (open != null && where.equals(directory + port)) {
            return open;
        }
        if (open != null) {
            open.close();
        }
        open = QueuePublisher.open(Path.of(directory), NanoClock.system(), port);
        where = directory + port;
        publisher = open;
        return open;
    }

    private static synchronized void publish() {
        if (publisher != null) {
            publisher.publish(figures[0], figures[1], figures[2], 0);
        }
    }

    private static void repeat() {
        while (true) {
            publish();
            Shell.pause(PERIOD_MILLIS);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.stack;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The images of the stack, built from this repository as {@code docker-compose.yml} says. */
final class Images {

    /** Services from which all images come; the others share theirs. */
    private static final List<String> BUILT = List.of("agent", "gateway", "leaf-1", "faults");

    private static final Duration LIMIT = Duration.ofMinutes(15);

    private static boolean built;

    private Images() {}

    /** Builds them, once for all tests of this run. */
    static synchronized void build() {
        if (built) {
            return;
        }
        long begun = System.nanoTime();
        List<String> command = new ArrayList<>(Engine.composeFiles());
        command.add("build");
        command.addAll(BUILT);
        if (!Engine.BASE.isEmpty()) {
            command.add("prometheus");
        }
        Command.run(Map.of(), LIMIT, command);
        System.out.printf("images built in %.0f s%n", (System.nanoTime() - begun) / 1e9);
        built = true;
    }

    /** Megabytes of an image, as the engine counts them. */
    static long megabytes(String name) {
        return Long.parseLong(Command.run(
                                Map.of(),
                                LIMIT,
                                List.of("docker", "image", "inspect", "--format", "{{.Size}}", tagged(name)))
                        .strip())
                / 1_000_000;
    }

    static String tagged(String name) {
        return "aether/" + name + ":0.1.0-SNAPSHOT";
    }
}

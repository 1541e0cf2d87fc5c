// SPDX-License-Identifier: Apache-2.0
package io.aether.grafana;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Files of the repository that these tests are run from. */
public final class Repository {

    /** Its top folder. */
    public static final Path HOME =
            Path.of(System.getProperty("aether.home", "..")).toAbsolutePath().normalize();

    private Repository() {}

    /** The text of a file, by its path from the top. */
    public static String text(String path) {
        try {
            return Files.readString(HOME.resolve(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Every dashboard, in the order of their names. */
    public static List<Dashboard> dashboards() {
        try (Stream<Path> files = Files.list(HOME.resolve("grafana/dashboards"))) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .map(Dashboard::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The files of the machine. Stateless. */
final class Host {
    private final Path root;

    /** @param root {@code /} except in tests */
    Host(Path root) {
        this.root = root;
    }

    Path root() {
        return root;
    }

    Path path(String absolute) {
        return root.resolve(absolute.substring(1));
    }

    /** The file's text without the blanks around it; empty when it cannot be read. */
    String read(String absolute) {
        return String.join("\n", lines(absolute)).strip();
    }

    List<String> lines(String absolute) {
        try {
            return Files.readAllLines(path(absolute));
        } catch (IOException unreadable) {
            return List.of();
        }
    }

    boolean readable(String absolute) {
        return Files.isReadable(path(absolute));
    }
}

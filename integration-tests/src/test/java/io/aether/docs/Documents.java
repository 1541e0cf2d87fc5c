// SPDX-License-Identifier: Apache-2.0
package io.aether.docs;

import io.aether.grafana.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The repository's Markdown files. */
final class Documents {

    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

    private Documents() {}

    /** All of them, by their paths from the top. */
    static List<String> all() {
        try (Stream<Path> top = Files.list(Repository.HOME);
                Stream<Path> docs = Files.walk(Repository.HOME.resolve("docs"))) {
            return Stream.concat(top, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .map(file -> Repository.HOME.relativize(file).toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Those for users; decisions tell of what was when they were made. */
    static List<String> ofToday() {
        return all().stream()
                .filter(file -> !file.startsWith("docs/decisions/") && !file.equals("CHANGELOG.md"))
                .toList();
    }

    /** Ids of a document's headings, as GitHub makes them. */
    static Set<String> anchors(String file) {
        String text = Repository.text(file).replaceAll("(?s)```.*?```", "");
        return HEADING.matcher(text)
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }
}

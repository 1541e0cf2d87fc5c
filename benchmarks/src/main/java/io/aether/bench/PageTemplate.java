// SPDX-License-Identifier: Apache-2.0
package io.aether.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes a page that shows a run and needs nothing else: a template with the script that all pages share, and the figures as data. */
public final class PageTemplate {

    private static final String COMMON = "page.js";
    private static final String COMMON_SLOT = "/*PAGE*/";
    private static final String DATA_SLOT = "/*DATA*/{}";

    private PageTemplate() {}

    /**
     * Writes the page, and the directories above it.
     *
     * @param beside the class that the template lies beside
     * @param data in JSON
     */
    public static void write(Path file, Class<?> beside, String template, String data) throws IOException {
        String page = read(beside, template).replace(COMMON_SLOT, read(PageTemplate.class, COMMON));
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, page.replace(DATA_SLOT, data));
    }

    private static String read(Class<?> beside, String name) throws IOException {
        try (InputStream in = beside.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException(name + " is missing from the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}

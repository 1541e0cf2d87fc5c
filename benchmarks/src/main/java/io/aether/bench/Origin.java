// SPDX-License-Identifier: Apache-2.0
package io.aether.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Where figures come from: what a file with them says beside them, so that it can be kept and made again. */
final class Origin {
    private static final String UNKNOWN = "unknown";

    private Origin() {}

    /** By name, in the order of the file. */
    static Map<String, String> now() {
        Map<String, String> origin = new LinkedHashMap<>();
        origin.put("command", System.getProperty("aether.command", UNKNOWN));
        origin.put("commit", commit());
        origin.put("machine", machine());
        return origin;
    }

    /** Of the working directory; {@code -dirty} when files differ from it. */
    private static String commit() {
        try {
            return Host.run("git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*");
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    private static String machine() {
        return "%d processors, %s, %s %s, Java %s"
                .formatted(
                        Runtime.getRuntime().availableProcessors(),
                        processor(),
                        System.getProperty("os.name"),
                        System.getProperty("os.version"),
                        System.getProperty("java.version"));
    }

    private static String processor() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException e) {
            return System.getProperty("os.arch");
        }
    }
}

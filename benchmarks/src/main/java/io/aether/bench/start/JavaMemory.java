// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.start;

import io.aether.bench.Host;
import io.aether.bench.PrerequisiteException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What another Java process keeps, asked with the tools of this JVM's JDK: the same for every collector. */
final class JavaMemory {
    private static final double MEGABYTE = 1e6;
    private static final double KIBIBYTE = 1024;

    private final String pid;

    JavaMemory(long pid) {
        this.pid = Long.toString(pid);
    }

    /** Says so when this is not a JDK. */
    static void check() throws PrerequisiteException {
        for (String tool : List.of("jcmd", "jstat")) {
            if (!Files.isExecutable(tool(tool))) {
                throw new PrerequisiteException(
                        tool(tool) + " is missing: install a JDK (openjdk-17-jdk-headless), or set JAVA_HOME to one");
            }
        }
    }

    /** Live objects, MB: collects garbage twice, since what only had to be finalized goes with the second time. */
    double liveMegabytes() throws IOException {
        Host.run(tool("jcmd").toString(), pid, "GC.run");
        String histogram = Host.run(tool("jcmd").toString(), pid, "GC.class_histogram");
        for (String line : histogram.lines().toList()) {
            String[] words = line.strip().split("\\s+", -1);
            if (words[0].equals("Total")) {
                return Double.parseDouble(words[2]) / MEGABYTE;
            }
        }
        throw new IOException("no total in the histogram of process " + pid);
    }

    /** Used by what is known of classes, MB. */
    double metaspaceMegabytes() throws IOException {
        return column("-gc", "MU") * KIBIBYTE / MEGABYTE;
    }

    /** Classes loaded so far. */
    double classes() throws IOException {
        return column("-class", "Loaded");
    }

    private double column(String option, String name) throws IOException {
        List<String> lines =
                Host.run(tool("jstat").toString(), option, pid).lines().toList();
        List<String> names = words(lines.get(0));
        if (lines.size() < 2 || !names.contains(name)) {
            throw new IOException("jstat " + option + " says nothing of " + name + ": " + lines);
        }
        return Double.parseDouble(words(lines.get(1)).get(names.indexOf(name)));
    }

    private static List<String> words(String line) {
        return List.of(line.strip().split("\\s+", -1));
    }

    private static Path tool(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name);
    }
}

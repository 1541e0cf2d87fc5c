// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** What demos left behind that were killed before they could clean up: processes, cgroups, namespaces, tables. */
public final class Leftovers {

    /** Followed by the demo's pid, the name of everything that it makes. */
    public static final String PREFIX = "aether-demo-";

    /** Of the package of everything that runs the graph. */
    private static final String RUNS = "io.aether.bench.";

    private Leftovers() {}

    /** Removes them and returns how many demos they were of. Demos that still run keep what is theirs. */
    public static int remove() throws IOException {
        SortedSet<Long> dead = new TreeSet<>();
        for (Path place : List.of(Cgroups.version2(), NetworkNamespace.PLACE, Stage.SHARED)) {
            String[] names = new File(place.toString()).list((directory, name) -> name.matches(PREFIX + "\\d{1,9}"));
            for (String name : names == null ? new String[0] : names) {
                dead.add(Long.parseLong(name.substring(PREFIX.length())));
            }
        }
        dead.removeIf(Leftovers::runs);
        for (long id : dead) {
            Cgroups cgroups = Cgroups.create(PREFIX + id);
            cgroups.kill();
            cgroups.close();
            NetworkNamespace.of(id).close();
            Images.delete(Stage.SHARED.resolve(PREFIX + id));
        }
        return dead.size();
    }

    /** A pid may have been given to another process since. */
    private static boolean runs(long pid) {
        try {
            byte[] command = Files.readAllBytes(Path.of("/proc", Long.toString(pid), "cmdline"));
            return new String(command, StandardCharsets.UTF_8).contains(RUNS);
        } catch (IOException e) {
            return false;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.guard;

import io.aether.bench.BenchOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes two network namespaces with a virtual cable between them, measures from within one ({@link Inside}) and removes
 * them again. Nothing outside of them is touched.
 */
public final class GuardBench {
    private GuardBench() {}

    public static void main(String[] args) throws Exception {
        BenchOptions.parse("guard", args);
        if (!Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
            System.err.println("guard: network namespaces need root. Fix: run this as root");
            System.exit(BenchOptions.PREREQUISITE);
        }
        if (!Files.isExecutable(Arena.FLOOD)) {
            System.err.println("guard: " + Arena.FLOOD + " is missing. Fix: run this by ./aether, which builds it");
            System.exit(BenchOptions.PREREQUISITE);
        }
        System.exit(run(args));
    }

    private static int run(String... args) throws IOException, InterruptedException {
        try (Arena arena = Arena.build(ProcessHandle.current().pid())) {
            List<String> more = new ArrayList<>(List.of(arena.name()));
            more.addAll(List.of(args));
            Process inside = new ProcessBuilder(Arena.java(arena.target(), Inside.class, more.toArray(String[]::new)))
                    .inheritIO()
                    .start();
            Thread end = new Thread(inside::destroy, "guard-end");
            Runtime.getRuntime().addShutdownHook(end);
            return inside.waitFor();
        }
    }
}

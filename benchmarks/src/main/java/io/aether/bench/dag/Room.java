// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.dag;

import io.aether.bench.Cleanup;
import io.aether.bench.Host;
import io.aether.bench.demo.Images;
import io.aether.bench.demo.Leftovers;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * A network namespace for one run: its connections ask for ECN whatever the host's do, and its ports are nobody else's. The program
 * starts itself once more inside.
 */
public final class Room {

    private static final String INSIDE = "aether.room";

    private Room() {}

    /**
     * Runs {@code body} inside a namespace, or here when this process is not root, and returns its exit code.
     *
     * @param main what to start inside
     */
    public static int run(Class<?> main, String[] args, IntSupplier body) throws IOException, InterruptedException {
        if (!Host.root()) {
            return body.getAsInt();
        }
        if (System.getProperty(INSIDE) != null) {
            // Nobody else would end it.
            ProcessHandle.current().parent().ifPresent(parent -> {
                var unused = parent.onExit().thenRun(() -> System.exit(1));
            });
            return body.getAsInt();
        }
        PrintStream err = System.err;
        try (Cleanup cleanup = new Cleanup(err)) {
            String name = name();
            Host.run("ip", "netns", "add", name);
            cleanup.add(() -> Host.run("ip", "netns", "del", name));
            Host.run("ip", "-n", name, "link", "set", "lo", "up");
            Host.run("nsenter", "--net=/run/netns/" + name, "sysctl", "-q", "-w", "net.ipv4.tcp_ecn=1");
            Process process =
                    new ProcessBuilder(command(name, main, args)).inheritIO().start();
            cleanup.add(() -> {
                process.destroy();
                process.waitFor(60, TimeUnit.SECONDS);
            });
            return process.waitFor();
        }
    }

    /** Of everything that this run makes: that of the outer process is found again by whoever cleans up. */
    public static String name() {
        return System.getProperty(
                INSIDE, Leftovers.PREFIX + ProcessHandle.current().pid());
    }

    private static List<String> command(String name, Class<?> main, String... args) {
        List<String> command = new ArrayList<>(List.of("nsenter", "--net=/run/netns/" + name, Images.java()));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-D" + INSIDE + "=" + name, "-cp", System.getProperty("java.class.path")));
        command.add(main.getName());
        command.addAll(List.of(args));
        return command;
    }
}

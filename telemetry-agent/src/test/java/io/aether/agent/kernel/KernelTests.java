// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Assumptions;

/** Common ground of the tests that need a real kernel. */
public final class KernelTests {
    private KernelTests() {}

    /** Skips the test, saying why, unless programs can be loaded here. */
    public static void assumeKernel() {
        String missing = missing();
        if (!missing.isEmpty()) {
            System.out.println("Kernel tests are skipped: " + missing);
        }
        Assumptions.assumeTrue(missing.isEmpty(), missing);
    }

    /**
     * Why kernel programs cannot be tried here; empty when they can. Where {@code -Daether.kernel.required=true} says that
     * they must be, as in CI, that is a failure.
     */
    static String missing() {
        String missing = lacking();
        if (!missing.isEmpty() && Boolean.getBoolean("aether.kernel.required")) {
            throw new IllegalStateException("kernel tests are required but cannot run: " + missing);
        }
        return missing;
    }

    private static String lacking() {
        if (!System.getProperty("os.name", "").equals("Linux")) {
            return "they need Linux";
        }
        if (!"root".equals(System.getProperty("user.name"))) {
            return "they need root";
        }
        if (!Files.isReadable(Path.of("/sys/kernel/btf/vmlinux"))) {
            return "they need a kernel with BTF (/sys/kernel/btf/vmlinux)";
        }
        try {
            run("ip", "-V");
            run("tc", "-V");
        } catch (IOException e) {
            return "they need ip and tc (package iproute2)";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
        return cgroup2Root().isEmpty() ? "they need a mounted cgroup2 tree" : "";
    }

    /** Where the version 2 tree is mounted. */
    public static Optional<Path> cgroup2Root() {
        return mounted("cgroup2", "");
    }

    /** Where the version 1 hierarchy of a controller is mounted. */
    public static Optional<Path> cgroup1Root(String controller) {
        return mounted("cgroup", controller);
    }

    private static Optional<Path> mounted(String type, String option) {
        try (var lines = Files.lines(Path.of("/proc/mounts"))) {
            return lines.map(line -> line.split(" "))
                    .filter(f -> f[2].equals(type))
                    .filter(f ->
                            option.isEmpty() || Arrays.asList(f[3].split(",")).contains(option))
                    .map(f -> Path.of(f[1]))
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Runs a command to its end and returns what it printed; throws when it fails. */
    public static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException(String.join(" ", command) + ": " + output);
        }
        return output;
    }

    /** Waits until the condition holds, looking every 2 ms; false when it never did. */
    public static boolean await(Duration limit, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            Thread.sleep(2);
        }
        return true;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Commands and waiting for tests. */
final class Shell {
    private static final long COMMAND_SECONDS = 20;

    private Shell() {}

    /** Runs a command and returns what it printed; fails with that text when the command fails. */
    static String run(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException(List.of(command) + " did not end");
            }
            if (process.exitValue() != 0) {
                throw new IllegalStateException(List.of(command) + " failed: " + output);
            }
            return output;
        } catch (IOException e) {
            throw new IllegalStateException(List.of(command) + " cannot run: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Waits until the condition holds, looking every millisecond; fails with the description after the time given. */
    static void await(long millis, BooleanSupplier condition, Supplier<String> description) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within " + millis + " ms: " + description.get());
            }
            pause(1);
        }
    }

    static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}

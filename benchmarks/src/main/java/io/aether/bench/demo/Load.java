// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import io.aether.bench.Host;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The load generator, a process of its own, so that no pause of the runner reaches it. */
final class Load implements AutoCloseable {

    private static final int START_SECONDS = 60;

    private final Process process;
    private final Consumer<Checkout> results;
    private final CountDownLatch first = new CountDownLatch(1);
    private final Thread reader = new Thread(this::read, "load-reader");

    private Load(Process process, Consumer<Checkout> results) {
        this.process = process;
        this.results = results;
    }

    /** Starts the load and returns once the first checkout is back; {@code results} gets them all, on one thread. */
    static Load start(String url, double rate, Schedule schedule, Path directory, Consumer<Checkout> results)
            throws IOException {
        List<String> command = new ArrayList<>();
        if (Host.root()) {
            command.addAll(List.of("nice", "-n", "-10")); // It must keep its own schedule on a busy machine.
        }
        command.addAll(List.of(
                Images.java(),
                "-Xmx160m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-D" + CheckoutSimulation.URL + "=" + url,
                "-D" + CheckoutSimulation.RATE + "=" + rate,
                "-D" + CheckoutSimulation.SECONDS + "=" + (long) Math.ceil(schedule.end()),
                "-D" + CheckoutSimulation.BEFORE + "=" + Math.round(schedule.warmup() * rate),
                "-D" + CheckoutSimulation.BLOCK + "="
                        + Math.round(schedule.blocks().get(0).length() * rate),
                "-cp",
                System.getProperty("java.class.path"),
                "io.gatling.app.Gatling",
                "--simulation",
                CheckoutSimulation.class.getName(),
                "--results-folder",
                directory.toString(),
                "--no-reports"));
        Process process = new ProcessBuilder(command)
                .redirectError(directory.resolve("load.log").toFile())
                .start();
        Load load = new Load(process, results);
        load.reader.setDaemon(true);
        load.reader.start();
        load.awaitFirst(directory);
        return load;
    }

    private void awaitFirst(Path directory) throws IOException {
        try {
            for (int i = 0; i < START_SECONDS * 10; i++) {
                if (first.await(100, TimeUnit.MILLISECONDS)) {
                    return;
                }
                if (!process.isAlive()) {
                    break;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        close();
        throw new IOException("the load generator made no request; see " + directory.resolve("load.log"));
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Checkout checkout = Checkout.parse(line);
                if (checkout != null) {
                    results.accept(checkout);
                    first.countDown();
                }
            }
        } catch (IOException e) {
            // The process has ended, by itself or by close.
        }
    }

    boolean running() {
        return process.isAlive();
    }

    Process process() {
        return process;
    }

    /** Waits for the answers that are still out, at most {@code seconds}. */
    void finish(int seconds) throws InterruptedException {
        process.waitFor(seconds, TimeUnit.SECONDS);
        Launcher.end(process, true);
        reader.join(2_000);
    }

    @Override
    public void close() {
        Launcher.end(process, true);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.start;

import com.sun.net.httpserver.HttpServer;
import io.aether.bench.Cleanup;
import io.aether.bench.PrerequisiteException;
import io.aether.bench.ProcessUsage;
import io.aether.bench.demo.Images;
import io.aether.bench.demo.Launcher;
import io.aether.bench.demo.Preflight;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Starts applications one after the other with the JVM's own defaults, each with another service to call. Not thread-safe. */
final class Stage {
    private static final int PORT = 18_970;
    private static final int PROBE_MILLIS = 5;
    private static final int MOST_SECONDS = 120;
    private static final double NANOS_PER_MILLI = 1e6;

    /** Until what a new application does in the background is done: its housekeeping, and compilers that catch up. */
    private static final int SETTLE_MILLIS = 1000;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final HttpServer callee;
    private final Launcher launcher;
    private final Cleanup cleanup;

    private Stage(HttpServer callee, Launcher launcher, Cleanup cleanup) {
        this.callee = callee;
        this.launcher = launcher;
        this.cleanup = cleanup;
    }

    /** @param logs directory of what the applications print */
    static Stage set(Path logs, Cleanup cleanup) throws IOException, PrerequisiteException, InterruptedException {
        JavaMemory.check();
        Preflight.checkFree(PORT, "the application");
        HttpServer callee = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        callee.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        callee.start();
        cleanup.add(() -> callee.stop(0));
        Stage stage = new Stage(callee, new Launcher(null, logs), cleanup);
        stage.get(callee.getAddress().getPort(), "/"); // the client's own first request takes long
        return stage;
    }

    /** Starts it, has it make one call, and ends it. */
    Figures measure(Application application, boolean starter) throws IOException, InterruptedException {
        String name = application.label() + (starter ? "-with" : "-without");
        List<String> command = command(application, starter);
        long began = System.nanoTime();
        Process process = launcher.start(name, null, null, command);
        cleanup.add(() -> Launcher.end(process, true));
        try {
            awaitAnswer(process, name);
            double start = (System.nanoTime() - began) / NANOS_PER_MILLI;
            double cpu = 1000 * ProcessUsage.cpuSeconds(process.pid());
            double call = call(name);
            TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
            JavaMemory memory = new JavaMemory(process.pid());
            return new Figures(
                    start,
                    cpu,
                    call,
                    memory.liveMegabytes(),
                    memory.metaspaceMegabytes(),
                    ProcessUsage.residentMegabytes(process.pid()),
                    memory.classes());
        } finally {
            Launcher.end(process, true);
        }
    }

    private List<String> command(Application application, boolean starter) throws IOException {
        return List.of(
                Images.java(),
                "-cp",
                application.classPath(starter),
                application.main(),
                "--server.address=127.0.0.1",
                "--server.port=" + PORT,
                "--logging.level.root=warn",
                "--spring.main.banner-mode=off",
                "--spring.cloud.discovery.client.simple.instances.checkout[0].uri=http://127.0.0.1:"
                        + callee.getAddress().getPort());
    }

    private void awaitAnswer(Process process, String name) throws IOException, InterruptedException {
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
        while (!listens() || get(PORT, "/actuator/health") != 200) {
            if (!process.isAlive() || System.nanoTime() - limit > 0) {
                throw new IOException("the application did not start; see " + launcher.log(name));
            }
            TimeUnit.MILLISECONDS.sleep(PROBE_MILLIS);
        }
    }

    /** A refused connection costs this process less than a refused request: it should not slow down what it waits for. */
    private static boolean listens() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), PORT)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private double call(String name) throws IOException, InterruptedException {
        long began = System.nanoTime();
        int status = get(PORT, "/checkout");
        if (status != 200) {
            throw new IOException("a call through the balancer ended with " + status + "; see " + launcher.log(name));
        }
        return (System.nanoTime() - began) / NANOS_PER_MILLI;
    }

    private int get(int port, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(MOST_SECONDS))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }
}

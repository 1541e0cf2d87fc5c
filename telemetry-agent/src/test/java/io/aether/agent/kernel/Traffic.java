// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** A {@link TrafficMain} or {@link WebMain} in a child process; closing it ends the process. */
final class Traffic implements AutoCloseable {
    private static final long ANSWER_SECONDS = 20;

    private final Process process;
    private final Writer commands;
    private final BlockingQueue<String> answers = new ArrayBlockingQueue<>(64);

    /** Starts the process inside a namespace, with further options for its JVM. */
    Traffic(Namespace namespace, String... options) {
        this(namespace, TrafficMain.class, testClasses(), options);
    }

    /** The same for web traffic. */
    static Traffic web(Namespace namespace, String... options) {
        return new Traffic(namespace, WebMain.class, System.getProperty("java.class.path"), options);
    }

    /** One that can also publish its queue. */
    static Traffic publishing(Namespace namespace, String... options) {
        return new Traffic(namespace, TrafficMain.class, System.getProperty("java.class.path"), options);
    }

    private Traffic(Namespace namespace, Class<?> main, String classPath, String... options) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx48m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC"));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", classPath, main.getName()));
        try {
            process = new ProcessBuilder(namespace.inside(command))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        commands = process.outputWriter(StandardCharsets.UTF_8);
        Thread reader = new Thread(this::readAnswers, "traffic-answers");
        reader.setDaemon(true);
        reader.start();
        answer("start");
        Area.add(pid());
    }

    private static String testClasses() {
        try {
            return Path.of(TrafficMain.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private void readAnswers() {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String line;
            while ((line = reader.readLine()) != null) {
                answers.add(line);
            }
        } catch (IOException ended) {
            // The process was killed.
        }
    }

    long pid() {
        return process.pid();
    }

    /** Sends a command and returns what follows "ok". */
    String tell(String command) {
        try {
            commands.write(command + "\n");
            commands.flush();
        } catch (IOException e) {
            throw new IllegalStateException(command, e);
        }
        return answer(command);
    }

    private String answer(String command) {
        try {
            String answer = answers.poll(ANSWER_SECONDS, TimeUnit.SECONDS);
            if (answer == null || answer.startsWith("failed")) {
                throw new IllegalStateException(command + ": " + (answer == null ? "no answer" : answer));
            }
            return answer.startsWith("ok ") ? answer.substring(3) : answer;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    void signal(String name) {
        Shell.run("kill", "-" + name, Long.toString(pid()));
    }

    /** Stops the process and waits until each of its threads stands still: until then one may still read. */
    void freeze() {
        signal("STOP");
        Shell.await(5_000, this::isStopped, () -> "process " + pid() + " does not stop");
    }

    void thaw() {
        signal("CONT");
    }

    private boolean isStopped() {
        try (var tasks = Files.list(Path.of("/proc/" + pid() + "/task"))) {
            return tasks.allMatch(task -> state(task) == 'T');
        } catch (IOException e) {
            return false;
        }
    }

    private static char state(Path task) {
        try {
            String stat = Files.readString(task.resolve("stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            return 'T'; // a thread that just ended
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

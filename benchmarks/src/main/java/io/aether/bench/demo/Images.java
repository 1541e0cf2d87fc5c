// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import io.aether.bench.Cleanup;
import io.aether.bench.Host;
import io.aether.bench.PrerequisiteException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * Executable jars unpacked for a quick start, with an archive of loaded classes that all processes map. Made once per
 * build and JVM: the archive is dumped by a process that has served checkouts, so it holds what a busy process loads.
 */
public final class Images {

    private static final int TRAINING_PORT = 18_990;
    private static final int TRAINING_CHECKOUTS = 30;

    /** Small heaps, one compiler and one collector: dozens of these share two cores. */
    private static final List<String> JVM = List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:CompileThresholdScaling=0.25",
            "-Xmx48m",
            "-Xss256k",
            "-XX:ReservedCodeCacheSize=40m",
            "-XX:+UseTransparentHugePages",
            "-XX:MaxDirectMemorySize=16m",
            "-XX:-UsePerfData",
            "-Xshare:auto",
            "-Xlog:disable",
            "-Xlog:all=error:stderr",
            "-Dio.netty.allocator.type=unpooled",
            "-Dreactor.netty.ioWorkerCount=1",
            "-Dreactor.schedulers.defaultPoolSize=1",
            "-Dspring.jmx.enabled=false");

    private final Path sample;
    private final Path gateway;

    private Images(Path sample, Path gateway) {
        this.sample = sample;
        this.gateway = gateway;
    }

    /** Unpacks and trains what is not there yet, under {@code cache}. */
    public static Images prepare(Path home, Path cache, Control control, Cleanup cleanup)
            throws IOException, PrerequisiteException {
        Path sampleJar = executable(home, "sample-services");
        Path gatewayJar = executable(home, "gateway");
        Images images = new Images(place(cache, sampleJar), place(cache, gatewayJar));
        if (!Files.exists(images.sample.resolve("trained")) || !Files.exists(images.gateway.resolve("trained"))) {
            delete(cache);
            unpack(sampleJar, images.sample);
            unpack(gatewayJar, images.gateway);
            images.train(cache, control, cleanup);
        }
        return images;
    }

    /** The executable jar of a module, which the build made. */
    public static Path executable(Path home, String module) throws IOException, PrerequisiteException {
        Path target = home.resolve(module).resolve("target");
        if (Files.isDirectory(target)) {
            try (Stream<Path> files = Files.list(target)) {
                List<Path> jars = files.filter(
                                file -> file.getFileName().toString().endsWith("-exec.jar"))
                        .toList();
                if (!jars.isEmpty()) {
                    return jars.get(0);
                }
            }
        }
        throw new PrerequisiteException("no executable jar in " + target + "; build it: mvn -DskipTests package");
    }

    public List<String> sampleCommand() {
        return command(sample, "-XX:SharedArchiveFile=" + sample.resolve("classes.jsa"));
    }

    public List<String> gatewayCommand() {
        return command(gateway, "-XX:SharedArchiveFile=" + gateway.resolve("classes.jsa"));
    }

    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static List<String> command(Path place, String archive) {
        List<String> command = new ArrayList<>();
        command.add(java());
        command.addAll(JVM);
        command.add(archive);
        command.addAll(List.of("-jar", place.resolve("application.jar").toString()));
        return command;
    }

    /** One directory per content of the jar and per JVM; builds are reproducible, so times say nothing. */
    private static Path place(Path cache, Path jar) throws IOException {
        CRC32 crc = new CRC32();
        try (InputStream in = Files.newInputStream(jar)) {
            byte[] buffer = new byte[1 << 16];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                crc.update(buffer, 0, n);
            }
        }
        String name = jar.getFileName().toString().replace("-exec.jar", "");
        return cache.resolve(name + "-" + Long.toHexString(crc.getValue()) + "-" + Runtime.version());
    }

    /** The jar of an application as {@code application.jar}, beside {@code lib} with what it needs. */
    public static void unpack(Path jar, Path place) throws IOException {
        delete(place);
        Files.createDirectories(place.getParent());
        Host.run(java(), "-Djarmode=tools", "-jar", jar.toString(), "extract", "--destination", place.toString());
        Files.move(place.resolve(jar.getFileName()), place.resolve("application.jar"));
    }

    public static void delete(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    /** Runs the whole graph in one process behind one gateway, makes checkouts, and lets both dump their archives. */
    private void train(Path logs, Control control, Cleanup cleanup) throws IOException {
        Topology.Node all =
                new Topology.Node("training", Topology.of(Map.of()).services(), Topology.LOOPBACK, TRAINING_PORT);
        Topology.Node edge = new Topology.Node("training-gateway", List.of(), Topology.LOOPBACK, TRAINING_PORT + 1);
        Path discovery = new Topology(List.of(all)).write(logs.resolve("training.properties"));
        Launcher launcher = new Launcher(null, logs);
        Process sampleProcess = launcher.start("training", null, null, training(sample, all, discovery));
        Process gatewayProcess = launcher.start("training-gateway", null, null, training(gateway, edge, discovery));
        cleanup.add(() -> Launcher.end(sampleProcess, true));
        cleanup.add(() -> Launcher.end(gatewayProcess, true));
        try {
            control.awaitHealthy(all, sampleProcess);
            control.awaitHealthy(edge, gatewayProcess);
            for (int i = 0; i < TRAINING_CHECKOUTS; i++) {
                control.checkout(edge);
            }
            control.served(all);
            control.switchTo(Arm.ROUND_ROBIN, List.of(all, edge));
            control.switchTo(Arm.APPLICATION, List.of(all, edge));
            control.checkout(edge);
        } finally {
            Launcher.end(sampleProcess, false);
            Launcher.end(gatewayProcess, false);
        }
        Files.createFile(sample.resolve("trained"));
        Files.createFile(gateway.resolve("trained"));
    }

    private static List<String> training(Path place, Topology.Node node, Path discovery) {
        List<String> command = command(place, "-XX:ArchiveClassesAtExit=" + place.resolve("classes.jsa"));
        command.add("--spring.config.additional-location=file:" + discovery);
        command.add("--server.port=" + node.port());
        command.add("--sample.services=" + String.join(",", node.services()));
        return command;
    }
}

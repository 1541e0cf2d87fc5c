// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.start;

import io.aether.bench.PrerequisiteException;
import io.aether.bench.demo.Images;
import io.aether.bench.start.service.ServiceApplication;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An application that calls others by name and was not compiled against the starter: it runs with and without.
 *
 * @param label its name in the figures
 * @param main its class
 * @param own its own classes
 * @param libraries directory of the jars that it needs, the starter's among them
 */
record Application(String label, String main, Path own, Path libraries) {

    /** All that is there for the starter alone: itself and its limiters' registry. Spring's balancer is the application's own. */
    private static final Pattern STARTER = Pattern.compile("(aether|resilience4j)-.*\\.jar");

    /** The repository's gateway. */
    static Application gateway(Path home, Path directory) throws IOException, PrerequisiteException {
        Path jar = Images.executable(home, "gateway");
        // The unpacked one would name all libraries in its manifest.
        Path own = jar.resolveSibling(jar.getFileName().toString().replace("-exec.jar", ".jar"));
        return new Application(
                "gateway", "io.aether.gateway.GatewayApplication", own, libraries(home, "gateway", directory));
    }

    /** A service on WebFlux with a balanced WebClient and the actuator. */
    static Application service(Path home, Path directory) throws IOException, PrerequisiteException {
        Class<?> main = ServiceApplication.class;
        URI own = URI.create(
                main.getProtectionDomain().getCodeSource().getLocation().toString());
        return new Application("service", main.getName(), Path.of(own), libraries(home, "sample-services", directory));
    }

    private static Path libraries(Path home, String module, Path directory) throws IOException, PrerequisiteException {
        Path place = directory.resolve(module);
        Images.unpack(Images.executable(home, module), place);
        return place.resolve("lib");
    }

    /** Both ways in the same order. */
    String classPath(boolean starter) throws IOException {
        try (Stream<Path> files = Files.list(libraries)) {
            List<Path> jars =
                    files.sorted().filter(jar -> starter || !isStarters(jar)).toList();
            return Stream.concat(Stream.of(own), jars.stream())
                    .map(Path::toString)
                    .collect(Collectors.joining(File.pathSeparator));
        }
    }

    private static boolean isStarters(Path jar) {
        return STARTER.matcher(jar.getFileName().toString()).matches();
    }
}

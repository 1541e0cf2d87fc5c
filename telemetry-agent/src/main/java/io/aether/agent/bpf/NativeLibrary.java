// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;

/**
 * Finds and loads the native library once: from the file that the system property {@value #PATH_PROPERTY} names, or
 * from the class path, through a private directory that is removed again at once.
 */
final class NativeLibrary {
    static final String PATH_PROPERTY = "aether.native.path";

    private static boolean loaded;

    private NativeLibrary() {}

    /** Throws {@link ProbesUnavailableException} when there is none for this system. */
    static synchronized void load() {
        if (loaded) {
            return;
        }
        String path = System.getProperty(PATH_PROPERTY);
        if (path != null) {
            link(Path.of(path).toAbsolutePath(), "check -D" + PATH_PROPERTY);
        } else {
            loadResource();
        }
        loaded = true;
    }

    private static void loadResource() {
        String resource = "/META-INF/native/" + platform() + "/libaether.so";
        try (InputStream in = NativeLibrary.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new ProbesUnavailableException(
                        "there is no native library for " + platform(), "run the agent on 64-bit Linux");
            }
            extractAndLink(in);
        } catch (IOException e) {
            throw new ProbesUnavailableException(
                    "cannot unpack the native library into " + System.getProperty("java.io.tmpdir") + ": "
                            + e.getMessage(),
                    "make room there or set another -Djava.io.tmpdir",
                    e);
        }
    }

    private static void extractAndLink(InputStream in) throws IOException {
        Path directory = Files.createTempDirectory(
                "aether", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path file = directory.resolve("libaether.so");
        try {
            Files.copy(in, file);
            link(
                    file,
                    "install libelf1 and zlib1g; if " + directory.getParent()
                            + " is mounted noexec, set -Djava.io.tmpdir to another directory");
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(directory);
        }
    }

    private static void link(Path file, String fix) {
        try {
            System.load(file.toString());
        } catch (UnsatisfiedLinkError e) {
            throw new ProbesUnavailableException("cannot load the native library: " + e.getMessage(), fix, e);
        }
    }

    /** As the kernel names it: {@code linux-x86_64}. */
    private static String platform() {
        String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String arch = System.getProperty("os.arch", "").replace("amd64", "x86_64");
        return os + "-" + arch;
    }
}

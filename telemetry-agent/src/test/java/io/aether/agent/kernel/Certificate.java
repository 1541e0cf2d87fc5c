// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A self-signed certificate and its key; closing removes the files. */
final class Certificate implements AutoCloseable {
    private final Path directory;

    Certificate() {
        try {
            directory = Files.createTempDirectory("aether-it-tls");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        Shell.run(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-days",
                "1",
                "-subj",
                "/CN=aether.test",
                "-keyout",
                key().toString(),
                "-out",
                chain().toString());
    }

    Path key() {
        return directory.resolve("key.pem");
    }

    Path chain() {
        return directory.resolve("chain.pem");
    }

    /** Options for a {@link WebMain} that serves with it. */
    String[] options() {
        return new String[] {"-Dcertificate=" + chain(), "-Dkey=" + key()};
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(key());
            Files.deleteIfExists(chain());
            Files.delete(directory);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}

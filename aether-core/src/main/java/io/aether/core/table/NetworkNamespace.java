// SPDX-License-Identifier: Apache-2.0
package io.aether.core.table;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Network namespaces, which keep apart endpoints of the same address in different containers. */
public final class NetworkNamespace {
    private static final Path SELF = Path.of("/proc/self/ns/net");

    private NetworkNamespace() {}

    /** The inode of this process's network namespace, or 0 where there is none (not Linux, no /proc). */
    public static long inodeOfSelf() {
        try {
            return parse(Files.readSymbolicLink(SELF).toString());
        } catch (IOException | UnsupportedOperationException | SecurityException e) {
            return 0;
        }
    }

    /** The number in {@code net:[4026531840]}, or 0. */
    static long parse(String link) {
        int open = link.indexOf('[');
        int close = link.indexOf(']');
        if (open < 0 || close <= open) {
            return 0;
        }
        try {
            return Long.parseUnsignedLong(link, open + 1, close, 10);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}

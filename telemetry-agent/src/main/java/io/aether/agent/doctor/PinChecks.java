// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.doctor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Where maps and links outlive an agent, and what one left there. */
final class PinChecks {
    private static final String GROUP = "pins";

    private PinChecks() {}

    static List<Check> checks(Host host, Path pins, Capabilities capabilities) {
        List<Check> checks = new ArrayList<>();
        checks.add(fileSystem(host, pins, capabilities));
        checks.add(left(host, pins));
        return checks;
    }

    private static Check fileSystem(Host host, Path pins, Capabilities capabilities) {
        String parent = String.valueOf(pins.getParent());
        boolean mounted = host.lines("/proc/mounts").stream()
                .map(line -> line.split(" "))
                .anyMatch(fields -> fields.length > 2 && fields[2].equals("bpf") && fields[1].equals(parent));
        if (mounted) {
            return Check.ok(GROUP, "bpf file system", parent);
        }
        return capabilities.seesOthers() && parent.equals("/sys/fs/bpf")
                ? Check.ok(GROUP, "bpf file system", "not mounted at " + parent + "; the agent will")
                : Check.note(
                        GROUP,
                        "bpf file system",
                        "none at " + parent + ": a killed agent's successor starts afresh",
                        "mount -t bpf bpf /sys/fs/bpf");
    }

    private static Check left(Host host, Path pins) {
        long count = count(pins);
        if (count < 0) {
            return Check.note(GROUP, "directory", pins + " cannot be read by this user", "");
        }
        if (count == 0) {
            return Check.ok(GROUP, "directory", "nothing in " + pins);
        }
        Optional<String> holder = holder(host, pins);
        return holder.map(pid ->
                        Check.ok(GROUP, "directory", count + " maps and links in " + pins + ", held by process " + pid))
                .orElseGet(() -> Check.note(
                        GROUP,
                        "directory",
                        count + " maps and links in " + pins + " of an agent that is gone; its programs run on",
                        "start an agent, which takes them over, or remove them: ./aether doctor --clean"));
    }

    private static long count(Path pins) {
        if (!Files.exists(pins)) {
            return Files.notExists(pins) ? 0 : -1;
        }
        try (Stream<Path> files = Files.walk(pins, 2)) {
            return files.filter(file -> !Files.isDirectory(file)).count();
        } catch (IOException | UncheckedIOException unreadable) {
            return -1;
        }
    }

    /** The process that locked the directory, as the kernel lists it by inode. */
    private static Optional<String> holder(Host host, Path pins) {
        try {
            String inode = ":" + Files.getAttribute(pins, "unix:ino");
            return host.lines("/proc/locks").stream()
                    .map(line -> line.trim().split("\\s+"))
                    .filter(fields -> fields.length > 5 && fields[1].equals("FLOCK") && fields[5].endsWith(inode))
                    .map(fields -> fields[4])
                    .findFirst();
        } catch (IOException gone) {
            return Optional.empty();
        }
    }
}

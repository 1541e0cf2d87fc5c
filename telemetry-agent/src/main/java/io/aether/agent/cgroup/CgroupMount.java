// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.cgroup;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * One mounted cgroup hierarchy, as a line of {@code /proc/PID/mountinfo} tells it (format: proc(5)).
 *
 * @param root the directory of the hierarchy that is mounted; starts with {@code /..} when it lies above the reader's
 *     own cgroup namespace
 * @param point where it is mounted
 * @param version 1 or 2
 * @param controllers version 1: the controllers of this hierarchy; empty for version 2
 */
public record CgroupMount(String root, Path point, int version, Set<String> controllers) {
    private static final int ROOT = 3;
    private static final int POINT = 4;
    private static final Set<String> GENERIC_OPTIONS = Set.of("rw", "ro", "xattr", "noprefix", "clone_children");

    /** The cgroup mounts among the lines of a mountinfo file, in the file's order; lines it cannot read are left out. */
    public static List<CgroupMount> parse(List<String> mountinfo) {
        List<CgroupMount> mounts = new ArrayList<>();
        for (String line : mountinfo) {
            String[] fields = line.split(" ");
            // A variable number of optional fields ends with a lone hyphen.
            int hyphen = Arrays.asList(fields).indexOf("-");
            if (hyphen <= POINT || fields.length < hyphen + 4) {
                continue;
            }
            String type = fields[hyphen + 1];
            if (type.equals("cgroup2")) {
                mounts.add(new CgroupMount(unescape(fields[ROOT]), Path.of(unescape(fields[POINT])), 2, Set.of()));
            } else if (type.equals("cgroup")) {
                mounts.add(new CgroupMount(
                        unescape(fields[ROOT]),
                        Path.of(unescape(fields[POINT])),
                        1,
                        controllersOf(fields[hyphen + 3])));
            }
        }
        return mounts;
    }

    private static Set<String> controllersOf(String options) {
        Set<String> controllers = new TreeSet<>(List.of(options.split(",")));
        controllers.removeAll(GENERIC_OPTIONS);
        return Set.copyOf(controllers);
    }

    /** The kernel writes blank, tab, newline and backslash as three octal digits. */
    private static String unescape(String field) {
        if (field.indexOf('\\') < 0) {
            return field;
        }
        return field.replace("\\040", " ")
                .replace("\\011", "\t")
                .replace("\\012", "\n")
                .replace("\\134", "\\");
    }
}

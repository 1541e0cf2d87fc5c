// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is pinned.
 *
 * @param directory where; empty when nothing is
 * @param reason why nothing, or not everything, is pinned; empty when all is or was not to be
 * @param fix what the operator can do about it
 * @param probes what became of each probe's pins
 */
public record Pins(String directory, String reason, String fix, Map<String, State> probes) {
    private static final int PROBES = 3;

    /** What became of one probe's pins. */
    public enum State {
        /** It has none. */
        NOT,
        /** There were none. */
        NEW,
        /** An earlier agent's maps and links go on. */
        TAKEN,
        /** An earlier agent's were removed: their layout differs, or they belong to another cgroup. */
        REPLACED
    }

    public Pins {
        probes = Map.copyOf(probes);
    }

    /** Nothing is pinned, and nothing was to be. */
    public static Pins none() {
        return new Pins("", "", "", Map.of());
    }

    /**
     * Removes what an earlier agent left in a directory, and with it ends its programs.
     *
     * @return how many maps and links that were; 0 when there is no such directory
     * @throws ProbesUnavailableException when they cannot be removed, an agent that runs holds them among others
     */
    public static int clean(Path directory) {
        NativeLibrary.load();
        String[] result = Native.clean(directory.toString());
        int count = Integer.parseInt(result[0]);
        if (count < 0) {
            throw new ProbesUnavailableException(result[1], result[2]);
        }
        return count;
    }

    static Pins of(String[] fields) {
        Map<String, State> probes = new LinkedHashMap<>();
        for (int i = PROBES; i < fields.length; i += 2) {
            probes.put(fields[i], State.valueOf(fields[i + 1]));
        }
        return new Pins(fields[0], fields[1], fields[2], probes);
    }
}

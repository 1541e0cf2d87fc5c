// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload;

import io.aether.agent.cgroup.CgroupFinder;
import java.nio.file.Path;
import java.util.Locale;

/** Thin. */
public final class OverloadBench {
    private OverloadBench() {}

    public static void main(String[] args) throws Exception {
        Path root = new CgroupFinder(Path.of("/")).find(null).path();
        try (Stage stage = Stage.set(root, true)) {
            Lane lane = Lane.open(stage);
            for (int i = 0; i + 2 < args.length; i += 3) {
                Bout bout = new Bout(
                        Policy.valueOf(args[i]),
                        Integer.parseInt(args[i + 1]),
                        Double.parseDouble(args[i + 2]),
                        false,
                        Mix.EQUAL,
                        1,
                        new Phases(4000, 2000, 8000, 4000));
                Played played = lane.play(bout);
                System.out.println(bout.row() + " " + played.outcome() + " late " + played.lateMillis() + " busy "
                        + played.busy());
                int n = 0;
                for (Timeline.Slot s : played.timeline().slots()) {
                    System.out.printf(
                            Locale.ROOT,
                            "%5.1f want %6.0f served %5.0f good %5.0f allow %6.0f F %.2f q %6.1f ms marked %.2f%n",
                            n++ / 10.0,
                            s.wanted(),
                            s.served(),
                            s.good(),
                            s.allowed(),
                            s.fraction(),
                            s.queueMillis(),
                            s.marked());
                }
            }
        }
        System.exit(0);
    }
}

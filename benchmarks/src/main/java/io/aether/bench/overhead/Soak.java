// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overhead;

import io.aether.bench.PrerequisiteException;
import io.aether.bench.Report;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Ten minutes of load with 100,000 short connections (a tenth of both when quick): neither the agent's memory nor what its
 * maps hold may grow. The base is taken after the first minute and compared with a minute after the end, when idle entries
 * have gone.
 */
final class Soak {
    private static final int RATE = 2_000;
    private static final int CONNECTIONS = 100_000;
    private static final long LENGTH = TimeUnit.MINUTES.toNanos(10);
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
    private static final int QUICK = 10;
    private static final String ENTRIES = "aether_ebpf_map_entries";

    private final Load load;
    private final long length;
    private final int connections;

    Soak(Load load, boolean quick) {
        this.load = load;
        length = quick ? LENGTH / QUICK : LENGTH;
        connections = quick ? CONNECTIONS / QUICK : CONNECTIONS;
    }

    void run(Stage stage, Report report) throws IOException, PrerequisiteException, InterruptedException {
        try (Agent agent = Agent.start(stage)) {
            System.err.printf("overhead: soak, %d minutes%n", 2 + TimeUnit.NANOSECONDS.toMinutes(length));
            load.run(RATE, 0, MINUTE);
            double memory = agent.residentMegabytes();
            Map<String, Double> base = agent.scrape().byProbe(ENTRIES, "map");
            int perSecond = (int) (connections / TimeUnit.NANOSECONDS.toSeconds(length)) + 1;
            Load.Result result = load.run(RATE, perSecond, length);
            load.run(RATE, 0, MINUTE);
            report.add("soak connections", (double) result.connections(), "");
            report.add("soak resident before", memory, "MB");
            report.add("soak resident after", agent.residentMegabytes(), "MB");
            Map<String, Double> end = agent.scrape().byProbe(ENTRIES, "map");
            end.forEach(
                    (map, entries) -> report.add("soak entries " + map, entries - base.getOrDefault(map, 0.0), "more"));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overhead;

import io.aether.bench.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Ten minutes of load with 100,000 short connections: neither the agent's memory nor what its maps hold may grow. The
 * base is taken after the first minute and compared with a minute after the end, when idle entries have gone.
 */
final class Soak {
    private static final int RATE = 2_000;
    private static final int CONNECTIONS = 100_000;
    private static final long LENGTH = TimeUnit.MINUTES.toNanos(10);
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
    private static final String ENTRIES = "aether_ebpf_map_entries";

    private final Load load;

    Soak(Load load) {
        this.load = load;
    }

    void run(Stage stage, Path jar, Path directory, Report report) throws IOException, InterruptedException {
        try (Agent agent = Agent.start(stage, jar, directory)) {
            System.err.println("overhead: soak, 12 minutes");
            load.run(RATE, 0, MINUTE);
            double memory = agent.residentMegabytes();
            Map<String, Double> base = agent.scrape().all(ENTRIES);
            int perSecond = (int) (CONNECTIONS / TimeUnit.NANOSECONDS.toSeconds(LENGTH)) + 1;
            Load.Result result = load.run(RATE, perSecond, LENGTH);
            load.run(RATE, 0, MINUTE);
            report.add("soak connections", result.connections(), "");
            report.add("soak resident before", memory, "MB");
            report.add("soak resident after", agent.residentMegabytes(), "MB");
            Map<String, Double> end = agent.scrape().all(ENTRIES);
            end.forEach(
                    (map, entries) -> report.add("soak entries " + map, entries - base.getOrDefault(map, 0.0), "more"));
        }
    }
}

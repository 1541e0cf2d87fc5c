// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.agent.bpf.ProgramStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Prints what the programs that look at answers cost per run, by the kernel's own clock. */
@RequiresKernel
@ExtendWith(SharedWatch.class)
class CostIT {
    private static final Path STATISTICS = Path.of("/proc/sys/kernel/bpf_stats_enabled");
    /** Far above what was ever seen, so that a busy machine does not fail the build. */
    private static final long MOST_NANOS = 20_000;

    private String statistics = "0";

    @BeforeEach
    void count() throws IOException {
        statistics = Files.readString(STATISTICS).strip();
        Files.writeString(STATISTICS, "1");
    }

    @AfterEach
    void stopCounting() throws IOException {
        Files.writeString(STATISTICS, statistics);
    }

    @Test
    void printsTheCostOfPlaintext(Watch watch, Cable cable) {
        cable.squeeze("1gbit", 1_000_000);
        Set<String> programs = Set.of("aether_http_out", "aether_http_in", "aether_arrival");
        try (Traffic server = Traffic.web(cable.server());
                Traffic client = Traffic.web(cable.client())) {
            String port = server.tell("serve http ::");
            String get = "get http " + Cable.SERVER + " " + port + " 200 0 ";
            client.tell(get + 200);
            print(watch, "HTTP/1.1, requests with their acknowledgements", programs, () -> client.tell(get + 2000));
        }
        try (Traffic server = new Traffic(cable.server());
                Traffic client = new Traffic(cable.client())) {
            String port = server.tell("listen * 0");
            String id = client.tell("connect " + Cable.SERVER + " " + port);
            client.tell("ping " + id + " 200");
            print(watch, "another protocol, one byte each way", programs, () -> client.tell("ping " + id + " 5000"));
        }
    }

    @Test
    void printsTheCostOfTls(Watch watch, Cable cable) {
        cable.squeeze("1gbit", 1_000_000);
        try (Certificate certificate = new Certificate();
                Traffic server = Traffic.web(cable.server(), certificate.options());
                Traffic client = Traffic.web(cable.client())) {
            int port = Integer.parseInt(server.tell("serve https ::"));
            String get = "get https " + Cable.SERVER + " " + port + " 200 0 ";
            Seen.after(
                    () -> client.tell(get + 20),
                    List.of(
                            () -> watch.peer(cable.client(), Cable.SERVER, port),
                            () -> watch.local(cable.server(), port)));
            client.tell(get + 200);
            print(
                    watch,
                    "HTTP/1.1 inside TLS, without the traps into the kernel",
                    Set.of("aether_tls_enter", "aether_tls_leave", "aether_tls_socket"),
                    () -> client.tell(get + 2000));
        }
    }

    private static void print(Watch watch, String what, Set<String> programs, Runnable load) {
        Map<String, ProgramStats> before = stats(watch);
        load.run();
        System.out.println(what + ":");
        new TreeMap<>(stats(watch)).forEach((name, after) -> {
            if (programs.contains(name)) {
                long runs = after.runs() - before.get(name).runs();
                long nanos = after.runNanos() - before.get(name).runNanos();
                System.out.printf("  %-18s %6d runs  %5d ns each%n", name, runs, runs == 0 ? 0 : nanos / runs);
                assertThat(nanos).isLessThanOrEqualTo(MOST_NANOS * runs);
            }
        });
    }

    private static Map<String, ProgramStats> stats(Watch watch) {
        return watch.probes().counters().programs().stream()
                .collect(Collectors.toMap(ProgramStats::name, Function.identity()));
    }
}

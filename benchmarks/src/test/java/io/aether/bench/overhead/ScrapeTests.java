// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overhead;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ScrapeTests {
    private static final Scrape SCRAPE = Scrape.parse("""
            # HELP aether_ebpf_program_runs_total Runs
            # TYPE aether_ebpf_program_runs_total counter
            aether_ebpf_program_runs_total{probe="sched",program="aether_switch"} 1.5E7
            aether_ebpf_program_runs_total{probe="flow",program="aether_flow"} 12.0
            aether_ebpf_map_entries{map="peers",probe="flow"} 3.0
            aether_ebpf_agent_up 1.0
            """);

    @Test
    void readsSeries() {
        assertThat(SCRAPE.value("aether_ebpf_agent_up")).isEqualTo(1);
        assertThat(SCRAPE.value("aether_ebpf_agent")).isNaN();
    }

    @Test
    void namesPrograms() {
        assertThat(SCRAPE.byProbe("aether_ebpf_program_runs_total", "program"))
                .isEqualTo(Map.of("sched/aether_switch", 1.5e7, "flow/aether_flow", 12.0));
        assertThat(SCRAPE.byProbe("aether_ebpf_map_entries", "map")).isEqualTo(Map.of("flow/peers", 3.0));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.agent.bpf.Histograms;
import io.aether.agent.bpf.Histograms.Preemptions;
import io.aether.agent.bpf.Histograms.RunQueue;
import io.aether.agent.cgroup.CgroupName;
import io.aether.agent.cgroup.CgroupNames;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CgroupSeriesTests {
    /** A line of the text format: https://prometheus.io/docs/instrumenting/exposition_formats. */
    private static final Pattern LINE = Pattern.compile(
            "# (HELP|TYPE) [a-z_]+ .*" + "|[a-z_]+\\{([a-z_]+=\"([^\"\\\\\\n]|\\\\[\"\\\\n])*\",?)*} [-+0-9.eEInfNa]+");

    private final Map<Long, String> names = new HashMap<>();
    private final AtomicLong clock = new AtomicLong();
    private final CgroupSeries series =
            new CgroupSeries(2, Duration.ofSeconds(30), id -> names.getOrDefault(id, CgroupNames.GONE), clock::get);

    @Test
    void tellsCausesAndQuotaApart() {
        names.put(1L, "shop");
        assertThat(scrape(new RunQueue(1, 2_000_000_000L, new Preemptions(3, 4, 5), 6, 7_000_000_000L, buckets(9))))
                .contains(
                        "aether_cgroup_preempted_total{by=\"own\",cgroup=\"shop\"} 3.0",
                        "aether_cgroup_preempted_total{by=\"other\",cgroup=\"shop\"} 4.0",
                        "aether_cgroup_preempted_total{by=\"kernel\",cgroup=\"shop\"} 5.0",
                        "aether_cgroup_throttles_total{cgroup=\"shop\"} 6.0",
                        "aether_cgroup_throttled_seconds_total{cgroup=\"shop\"} 7.0",
                        "aether_cgroup_run_queue_seconds_sum{cgroup=\"shop\"} 2.0",
                        "aether_cgroup_run_queue_seconds_count{cgroup=\"shop\"} 9");
    }

    @Test
    void givesNoNameToTheYoung() {
        names.put(1L, "old");
        names.put(2L, "young");
        scrape(throttled(1, 1));
        clock.addAndGet(TimeUnit.SECONDS.toNanos(10));
        assertThat(scrape(throttled(1, 1), throttled(2, 5)))
                .contains(line("old", 1), line("~other", 5))
                .noneMatch(line -> line.contains("young"));
        clock.addAndGet(TimeUnit.SECONDS.toNanos(31));
        assertThat(scrape(throttled(1, 1), throttled(2, 8))).contains(line("young", 8), line("~other", 5));
    }

    @Test
    void countsTheDeadOnce() {
        names.put(1L, "shop");
        names.put(2L, "job");
        scrape(throttled(1, 10), throttled(2, 7));
        names.remove(2L);
        assertThat(scrape(throttled(1, 10), throttled(2, 7)))
                .contains(line("~other", 0))
                .noneMatch(line -> line.contains("job"));
        // Forgotten by the kernel's map: nothing falls, nothing comes twice.
        assertThat(scrape(throttled(1, 10))).contains(line("~other", 0));
    }

    @Test
    void boundsWhatAStormOfContainersAdds() {
        for (int round = 0; round < 20; round++) {
            RunQueue[] all = IntStream.range(round * 500, round * 500 + 500)
                    .mapToObj(id -> throttled(id, 1))
                    .toArray(RunQueue[]::new);
            for (RunQueue one : all) {
                names.put(one.cgroup(), "job-" + one.cgroup());
            }
            clock.addAndGet(TimeUnit.MINUTES.toNanos(1));
            assertThat(scrape(all).stream().filter(line -> line.startsWith("aether_cgroup_throttles_total")))
                    .hasSizeLessThan(4);
        }
    }

    @Test
    void staysReadableWhateverNamesAre() {
        List<String> hostile = List.of(
                "a\nfake_metric 1",
                "say \"hi\" \\",
                "x".repeat(4_096) + "\r\n",
                "\u0000\u001b[31m\u2028\u202e\ud800",
                new String(new byte[] {(byte) 0xff, (byte) 0xfe, 'a'}, StandardCharsets.UTF_8),
                "}{=,#");
        for (String name : hostile) {
            CgroupSeries fresh = new CgroupSeries(2, Duration.ZERO, id -> CgroupName.of("/" + name), clock::get);
            List<String> lines = scrape(fresh, throttled(1, 3));
            assertThat(lines).allMatch(line -> LINE.matcher(line).matches()).anyMatch(line -> line.endsWith("} 3.0"));
            assertThat(lines).allMatch(line -> line.length() < 300);
        }
    }

    private static RunQueue throttled(long id, long times) {
        return new RunQueue(id, 0, new Preemptions(0, 0, 0), times, 0, buckets(1));
    }

    private static String line(String cgroup, long times) {
        return "aether_cgroup_throttles_total{cgroup=\"" + cgroup + "\"} " + (double) times;
    }

    private static List<Long> buckets(long first) {
        List<Long> counts = new ArrayList<>(Collections.nCopies(Histograms.BUCKETS, 0L));
        counts.set(0, first);
        return counts;
    }

    private List<String> scrape(RunQueue... cgroups) {
        return scrape(series, cgroups);
    }

    private static List<String> scrape(CgroupSeries series, RunQueue... cgroups) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try {
            PrometheusTextFormatWriter.create()
                    .write(text, new MetricSnapshots(series.snapshots(new Histograms(List.of(cgroups)))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Arrays.asList(text.toString(StandardCharsets.UTF_8).split("\n"));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.agent.view.EcnView;
import io.aether.agent.view.Endpoints;
import io.aether.agent.view.HttpView;
import io.aether.agent.view.LocalView;
import io.aether.agent.view.PathView;
import io.aether.agent.view.PeerView;
import io.aether.agent.view.QueueView;
import io.aether.agent.view.ReportView;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class EndpointSeriesTests {
    private static final EcnView NO_MARKS = new EcnView(0, 0, 0, 0, List.of());

    private final EndpointSeries series = new EndpointSeries(2, Duration.ofMinutes(5));

    @Test
    void showsPeersInBaseUnits() {
        assertThat(scrape(peer("10.0.0.1", 1, path(1_500, 100, 7))))
                .contains(
                        "aether_peer_rtt_seconds{peer=\"10.0.0.1:80\"} 0.0015",
                        "aether_peer_segments_total{peer=\"10.0.0.1:80\"} 100.0",
                        "aether_peer_retransmits_total{peer=\"10.0.0.1:80\"} 7.0",
                        "aether_peer_congested{peer=\"10.0.0.1:80\"} 0.0");
    }

    @Test
    void writesIpv6InBrackets() {
        assertThat(scrape(peer("fd77::1", 1, path(1_000, 1, 0))))
                .contains("aether_peer_segments_total{peer=\"[fd77::1]:80\"} 1.0");
    }

    @Test
    void addsUpWhatExceedsTheLimit() {
        List<String> lines = scrape(
                peer("10.0.0.1", 1, path(1_000, 40, 0)),
                peer("10.0.0.2", 1, path(1_000, 30, 0)),
                peer("10.0.0.3", 1, path(1_000, 20, 2)),
                peer("10.0.0.4", 1, path(1_000, 10, 1)));

        assertThat(lines)
                .contains(
                        "aether_peer_segments_total{peer=\"~other\"} 30.0",
                        "aether_peer_retransmits_total{peer=\"~other\"} 3.0",
                        "aether_peer_connections{peer=\"~other\"} 2.0")
                .noneMatch(line -> line.contains("10.0.0.3") || line.contains("10.0.0.4"))
                .noneMatch(line -> line.startsWith("aether_peer_rtt_seconds{peer=\"~other\"}"));
    }

    @Test
    void namesPeersInTroubleFirst() {
        assertThat(scrape(
                        peer("10.0.0.1", 1, path(1_000, 40, 0)),
                        peer("10.0.0.2", 1, path(1_000, 30, 0)),
                        new PeerView("10.0.0.3", 80, 1, true, false, false, path(90_000, 1, 0), null, null, NO_MARKS)))
                .contains("aether_peer_congested{peer=\"10.0.0.3:80\"} 1.0");
    }

    @Test
    void joinsOnePeerSeenFromTwoNamespaces() {
        assertThat(scrape(peer("10.0.0.1", 1, path(1_000, 40, 0)), peer("10.0.0.1", 2, path(3_000, 2, 0))))
                .contains(
                        "aether_peer_rtt_seconds{peer=\"10.0.0.1:80\"} 0.003",
                        "aether_peer_segments_total{peer=\"10.0.0.1:80\"} 42.0",
                        "aether_peer_connections{peer=\"10.0.0.1:80\"} 2.0");
    }

    @Test
    void dropsIdlePeersButNotTheirCounts() {
        PathView idle = new PathView(400_000, 1_000, 1_000, 10, 0, 0, 0, 55, 0, 0, 0);

        assertThat(scrape(peer("10.0.0.1", 1, idle)))
                .contains("aether_peer_segments_total{peer=\"~other\"} 55.0")
                .noneMatch(line -> line.contains("10.0.0.1"));
    }

    @Test
    void addsUpTheAnswersOfPeersByClass() {
        HttpView answers = new HttpView(5, 7_000, 1, 10, 2, 1, 4);
        PeerView first =
                new PeerView("10.0.0.1", 80, 1, false, false, false, path(1_000, 40, 0), null, answers, NO_MARKS);
        PeerView second =
                new PeerView("10.0.0.1", 80, 2, false, false, false, path(1_000, 40, 0), null, answers, NO_MARKS);

        assertThat(scrape(first, second, peer("10.0.0.2", 1, path(1_000, 1, 0))))
                .contains(
                        "aether_peer_http_answers_total{class=\"2xx\",peer=\"10.0.0.1:80\"} 20.0",
                        "aether_peer_http_answers_total{class=\"4xx\",peer=\"10.0.0.1:80\"} 4.0",
                        "aether_peer_http_answers_total{class=\"5xx\",peer=\"10.0.0.1:80\"} 2.0",
                        "aether_peer_http_answers_total{class=\"unknown\",peer=\"10.0.0.1:80\"} 8.0",
                        "aether_peer_http_first_byte_seconds{peer=\"10.0.0.1:80\"} 0.007")
                .noneMatch(line -> line.startsWith("aether_peer_http") && line.contains("10.0.0.2"));
    }

    @Test
    void showsMarksAndHowAPeersOverloadIsTold() {
        EcnView first = new EcnView(30, 70, 300, 500, List.of("marks", "report"));
        EcnView second = new EcnView(1, 9, 100, 1000, List.of("report"));
        PeerView one = new PeerView("10.0.0.1", 80, 1, false, false, false, path(1_000, 40, 0), null, null, first);
        PeerView two = new PeerView("10.0.0.1", 80, 2, false, false, false, path(1_000, 40, 0), null, null, second);

        assertThat(scrape(one, two))
                .contains(
                        "aether_peer_marked_segments_total{peer=\"10.0.0.1:80\"} 31.0",
                        "aether_peer_unmarked_segments_total{peer=\"10.0.0.1:80\"} 79.0",
                        "aether_peer_ecn_connections_ratio{peer=\"10.0.0.1:80\"} 0.5",
                        "aether_peer_marks_live{peer=\"10.0.0.1:80\"} 0.0",
                        "aether_peer_report_live{peer=\"10.0.0.1:80\"} 1.0");
    }

    @Test
    void showsListenersWithTheirCgroup() {
        LocalView local = new LocalView(
                "*",
                8080,
                1,
                "docker/0123456789ab",
                true,
                false,
                new QueueView(5, 2_000, 30_000, 3, 1, 128, 9, 70, 80),
                new ReportView(5, "node", 45_000, 2_000, 1_500, 8_000, 250, 51, 5, 3, 7_000),
                new HttpView(5, 12_000, 30, 900, 40, 3, 2),
                new EcnView(60, 40, 600, 0, List.of()));
        String labels = "{cgroup=\"docker/0123456789ab\",endpoint=\"*:8080\"} ";

        assertThat(lines(new Endpoints(List.of(), List.of(local))))
                .contains(
                        "aether_endpoint_sojourn_seconds" + labels + "0.002",
                        "aether_endpoint_stalled" + labels + "1.0",
                        "aether_endpoint_stall_age_seconds" + labels + "0.045",
                        "aether_endpoint_throttled_ratio" + labels + "0.25",
                        "aether_endpoint_http_first_byte_seconds" + labels + "0.012",
                        "aether_endpoint_http_answers_per_second" + labels + "30.0",
                        "aether_endpoint_http_answers_total{cgroup=\"docker/0123456789ab\",class=\"5xx\",endpoint=\"*:8080\"} 3.0",
                        "aether_endpoint_pressure_ratio" + labels + "0.2",
                        "aether_endpoint_running_requests" + labels + "2.0",
                        "aether_endpoint_waiting_requests" + labels + "3.0",
                        "aether_endpoint_estimated_wait_seconds" + labels + "0.007",
                        "aether_endpoint_marked_segments_total" + labels + "60.0",
                        "aether_endpoint_unmarked_segments_total" + labels + "40.0",
                        "aether_endpoint_reads_total" + labels + "70.0");
    }

    private List<String> scrape(PeerView... peers) {
        return lines(new Endpoints(List.of(peers), List.of()));
    }

    private List<String> lines(Endpoints endpoints) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try {
            PrometheusTextFormatWriter.create().write(text, new MetricSnapshots(series.snapshots(endpoints)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Arrays.asList(text.toString(StandardCharsets.UTF_8).split("\n"));
    }

    private static PeerView peer(String address, long netns, PathView path) {
        return new PeerView(address, 80, netns, false, false, false, path, null, null, NO_MARKS);
    }

    private static PathView path(long rttMicros, long segments, long retransmits) {
        return new PathView(5, rttMicros, rttMicros, 10, 0, 1, 0, segments, retransmits, 0, 0);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.grafana;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** What can be said of the dashboards without running anything: Grafana's conventions, and names of metrics. */
class DashboardTests {

    /** Units of Grafana that are used here; a unit it does not know would be shown as a text behind the number. */
    private static final Set<String> UNITS = Set.of("s", "reqps", "ops", "percentunit", "none", "bytes");

    static List<Dashboard> dashboards() {
        return Repository.dashboards();
    }

    @Test
    void thereIsOneForEachSubjectAndTheirIdsDiffer() {
        assertThat(dashboards())
                .extracting(Dashboard::name)
                .containsExactly("agent.json", "backpressure.json", "balancer.json", "checkout.json", "kernel.json");
        assertThat(dashboards())
                .extracting(dashboard -> dashboard.json().path("uid").asString())
                .doesNotHaveDuplicates()
                .allMatch(uid -> uid.matches("aether-[a-z]+"));
    }

    @ParameterizedTest
    @MethodSource("dashboards")
    void itIsWhatGrafanaImports(Dashboard dashboard) {
        JsonNode json = dashboard.json();
        assertThat(json.path("title").asString()).startsWith("Aether / ");
        assertThat(json.path("description").asString()).endsWith(".");
        assertThat(json.path("schemaVersion").asInt()).isGreaterThanOrEqualTo(39);
        assertThat(json.has("id"))
                .as("an id is one of the Grafana it was exported from")
                .isFalse();
        assertThat(json.path("tags").toString()).contains("aether");
        assertThat(json.path("time").path("from").asString()).isEqualTo("now-15m");
        assertThat(json.path("links").valueStream())
                .as("a list of the other dashboards, which keeps the time")
                .anySatisfy(link -> {
                    assertThat(link.path("type").asString()).isEqualTo("dashboards");
                    assertThat(link.path("tags").toString()).contains("aether");
                    assertThat(link.path("keepTime").asBoolean()).isTrue();
                });
    }

    @ParameterizedTest
    @MethodSource("dashboards")
    void variablesAreExplainedAndUsed(Dashboard dashboard) {
        String panels = dashboard.json().path("panels").toString();
        assertThat(dashboard.variables()).hasSizeGreaterThanOrEqualTo(2).allSatisfy(variable -> {
            String name = variable.path("name").asString();
            assertThat(variable.path("label").asString()).as(name).isNotEmpty();
            assertThat(variable.path("description").asString()).as(name).isNotEmpty();
            assertThat(panels).containsAnyOf("$" + name + "\\\"", "${" + name + "}");
        });
        assertThat(dashboard.variables().findFirst().orElseThrow().path("type").asString())
                .as("which Prometheus")
                .isEqualTo("datasource");
    }

    @ParameterizedTest
    @MethodSource("dashboards")
    void everyPanelSaysWhatItShowsAndInWhichUnit(Dashboard dashboard) {
        assertThat(dashboard.panels()).isNotEmpty().allSatisfy(panel -> {
            String title = panel.path("title").asString();
            JsonNode defaults = panel.path("fieldConfig").path("defaults");
            assertThat(title).isNotEmpty();
            assertThat(panel.path("description").asString())
                    .as(title)
                    .endsWith(".")
                    .hasSizeGreaterThan(15);
            assertThat(defaults.path("unit").asString()).as(title).isIn(UNITS);
            assertThat(panel.path("datasource").path("uid").asString())
                    .as(title)
                    .isEqualTo("${datasource}");
            assertThat(panel.path("type").asString()).as(title).isIn("stat", "timeseries", "table");
            assertThat(panel.path("targets").valueStream())
                    .as(title)
                    .isNotEmpty()
                    .allSatisfy(target -> {
                        assertThat(target.path("refId").asString()).matches("[A-Z]");
                        assertThat(target.path("datasource").path("uid").asString())
                                .isEqualTo("${datasource}");
                        assertThat(target.path("expr").asString()).isNotEmpty();
                    });
        });
    }

    /** A rate over a fixed time is empty or wrong as soon as somebody scrapes or zooms differently. */
    @ParameterizedTest
    @MethodSource("dashboards")
    void ratesAreOfTheIntervalThatGrafanaChooses(Dashboard dashboard) {
        assertThat(dashboard.queries())
                .allSatisfy(query ->
                        assertThat(query.expression()).as(query.where()).doesNotContainPattern("\\[[0-9]"));
    }

    @ParameterizedTest
    @MethodSource("dashboards")
    void panelsDoNotOverlapAndTheirIdsDiffer(Dashboard dashboard) {
        Set<Integer> ids = new HashSet<>();
        Set<List<Integer>> taken = new HashSet<>();
        dashboard.all().forEach(panel -> {
            JsonNode at = panel.path("gridPos");
            assertThat(ids.add(panel.path("id").asInt()))
                    .as("id of " + panel.path("title"))
                    .isTrue();
            assertThat(at.path("x").asInt() + at.path("w").asInt()).isLessThanOrEqualTo(24);
            assertThat(taken).as(panel.path("title").asString()).doesNotContainAnyElementsOf(cells(at));
            taken.addAll(cells(at));
        });
    }

    @ParameterizedTest
    @MethodSource("dashboards")
    void everyMetricIsDocumented(Dashboard dashboard) {
        Set<String> documented = Metrics.documented();
        assertThat(documented).as("names found in docs/metrics.md").hasSizeGreaterThan(100);
        assertThat(dashboard.queries()).allSatisfy(query -> {
            assertThat(Metrics.in(query.expression())).as(query.where()).isNotEmpty();
            assertThat(documented).as(query.where()).containsAll(Metrics.in(query.expression()));
        });
    }

    @Test
    void namesOfMetricsAreFoundInQueries() {
        assertThat(Stream.of(
                        "sum by (le, client_name) (rate(a_bucket{x_y=\"b_c\"}[$__rate_interval])) / on (d_e) g_total"))
                .allSatisfy(query -> assertThat(Metrics.in(query)).containsExactly("a_bucket", "g_total"));
    }

    private static List<List<Integer>> cells(JsonNode at) {
        List<List<Integer>> cells = new ArrayList<>();
        for (int x = 0; x < at.path("w").asInt(); x++) {
            for (int y = 0; y < at.path("h").asInt(); y++) {
                cells.add(List.of(at.path("x").asInt() + x, at.path("y").asInt() + y));
            }
        }
        return cells;
    }
}

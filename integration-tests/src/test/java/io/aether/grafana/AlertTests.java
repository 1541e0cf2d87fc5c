// SPDX-License-Identifier: Apache-2.0
package io.aether.grafana;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** Every alert has a runbook, every runbook an alert, and both speak of metrics that exist. */
class AlertTests {

    private static final Pattern HEADING = Pattern.compile("(?m)^### (\\w+)$");

    private static final String RUNBOOKS = "docs/runbooks.md";

    @Test
    void everyAlertIsComplete() {
        assertThat(alerts()).hasSizeGreaterThan(10).allSatisfy(alert -> {
            String name = (String) alert.get("alert");
            assertThat(name).matches("Aether[A-Z]\\w+");
            assertThat((String) alert.get("for")).as(name).matches("[0-9]+[sm]");
            assertThat(map(alert, "labels").get("severity")).as(name).isIn("critical", "warning");
            assertThat(map(alert, "annotations")).as(name).containsKeys("summary", "description", "runbook");
            assertThat(map(alert, "annotations").get("runbook"))
                    .isEqualTo(RUNBOOKS + "#" + name.toLowerCase(Locale.ROOT));
        });
    }

    @Test
    void alertsAndRunbooksMatch() {
        assertThat(HEADING.matcher(Repository.text(RUNBOOKS)).results().map(heading -> heading.group(1)))
                .containsExactlyElementsOf(
                        alerts().map(alert -> (String) alert.get("alert")).toList());
    }

    @Test
    void everyMetricIsDocumented() {
        assertThat(alerts())
                .allSatisfy(alert -> assertThat(Metrics.documented())
                        .as((String) alert.get("alert"))
                        .containsAll(Metrics.in((String) alert.get("expr"))));
    }

    private static Stream<Map<String, Object>> alerts() {
        Map<String, List<Map<String, Object>>> file = new Yaml().load(Repository.text("prometheus/alerts.yml"));
        return file.get("groups").stream().flatMap(AlertTests::rules);
    }

    @SuppressWarnings("unchecked") // as Prometheus defines it
    private static Stream<Map<String, Object>> rules(Map<String, Object> group) {
        return ((List<Map<String, Object>>) group.get("rules")).stream();
    }

    @SuppressWarnings("unchecked") // as Prometheus defines it
    private static Map<String, String> map(Map<String, Object> alert, String key) {
        return (Map<String, String>) alert.get(key);
    }
}

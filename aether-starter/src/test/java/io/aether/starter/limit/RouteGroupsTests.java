// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouteGroupsTests {

    private static final RouteGroups GROUPS = new RouteGroups(new LinkedHashMap<>(Map.of(
            "orders", List.of("/orders", "/orders/**"),
            "lines", List.of("/orders/*/lines"),
            "special", List.of("/orders/7/lines", "/"),
            "any", List.of("/*/report/**"))));

    private static String group(RouteGroups groups, String path) {
        return groups.names().get(groups.of(path));
    }

    @ParameterizedTest
    @CsvSource({
        "/orders, orders",
        "/orders/, orders",
        "/orders/1, orders",
        "/orders/1/lines/2, orders",
        "/orders/7/lines, special",
        "/ordersx, default",
        "/order, default",
        "/, special",
        "'', default",
        "/x/report, any",
        "/x/report/1/2, any",
        "//report, default",
        "/x/reports, default",
        "orders, default"
    })
    void theOneThatIsLiteralForLongestWins(String path, String group) {
        assertThat(group(GROUPS, path)).isEqualTo(group);
    }

    @Test
    void ofTwoEquallyLiteralTheFirstOneWins() {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        groups.put("lines", List.of("/orders/*/lines"));
        groups.put("orders", List.of("/orders/**"));
        RouteGroups both = new RouteGroups(groups);
        assertThat(group(both, "/orders/1/lines")).isEqualTo("lines");
        assertThat(group(both, "/orders/1")).isEqualTo("orders");
    }

    @Test
    void withoutPatternsThereIsOne() {
        RouteGroups none = new RouteGroups(Map.of());
        assertThat(none.names()).containsExactly("default");
        assertThat(group(none, "/whatever")).isEqualTo("default");
    }

    @Test
    void theDefaultGroupMayHavePatternsToo() {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        groups.put("api", List.of("/api/**"));
        groups.put("default", List.of("/api/health"));
        RouteGroups both = new RouteGroups(groups);
        assertThat(both.names()).containsExactly("default", "api");
        assertThat(group(both, "/api/health")).isEqualTo("default");
    }

    @Test
    void thousandsAreBoundedAndCounted() {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        for (int i = 0; i < 5000; i++) {
            groups.put("g" + i, List.of("/g" + i));
        }
        RouteGroups many = new RouteGroups(groups);
        assertThat(many.names()).hasSize(RouteGroups.MOST + 1);
        assertThat(many.leftOut()).isEqualTo(5000 - RouteGroups.MOST);
        assertThat(group(many, "/g63")).isEqualTo("g63");
        assertThat(group(many, "/g64")).isEqualTo("~other");
        assertThat(group(many, "/nothing")).isEqualTo("~other");
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders", "", "/or*", "/**/x", "/a/**b", "/a/x**"})
    void whatIsNoPatternIsNamed(String pattern) {
        assertThatThrownBy(() -> new RouteGroups(Map.of("g", List.of(pattern))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + pattern + "\"");
    }
}

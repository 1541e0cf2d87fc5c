// SPDX-License-Identifier: Apache-2.0
package io.aether.grafana;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * One dashboard's file.
 *
 * @param name of the file
 * @param json what is in it
 */
public record Dashboard(String name, JsonNode json) {

    private static final ObjectMapper JSON = new ObjectMapper();
    /** A query of a variable: {@code label_values(metric{selector}, label)}, the selector optional. */
    private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((.+), (\\w+)\\)");

    /**
     * One query.
     *
     * @param where dashboard and panel or variable that it belongs to
     * @param expression as it is sent to Prometheus, variables and all
     */
    public record Query(String where, String expression) {

        /** With everything selected in each variable, and the times that Grafana would fill in. */
        public String everything() {
            return expression
                    .replace("$__rate_interval", "1m")
                    .replace("$__range", "5m")
                    .replaceAll("\\$\\w+", ".*");
        }
    }

    static Dashboard read(Path file) {
        try {
            return new Dashboard(file.getFileName().toString(), JSON.readTree(Files.readString(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Panels that show something: all but rows. */
    List<JsonNode> panels() {
        return all().filter(panel -> !panel.path("type").asString().equals("row"))
                .toList();
    }

    Stream<JsonNode> all() {
        return json.path("panels").valueStream();
    }

    Stream<JsonNode> variables() {
        return json.path("templating").path("list").valueStream();
    }

    /** Every query: of panels as it is, of variables the series whose label they list. */
    public List<Query> queries() {
        Stream<Query> ofPanels = panels().stream()
                .flatMap(panel -> panel.path("targets")
                        .valueStream()
                        .map(target -> new Query(
                                name + ", panel '" + panel.path("title").asString() + "' "
                                        + target.path("refId").asString(),
                                target.path("expr").asString())));
        Stream<Query> ofVariables = variables()
                .filter(variable -> variable.path("type").asString().equals("query"))
                .map(variable ->
                        new Query(name + ", variable " + variable.path("name").asString(), series(variable)));
        return Stream.concat(ofPanels, ofVariables).toList();
    }

    private static String series(JsonNode variable) {
        String query = variable.path("query").path("query").asString();
        Matcher matcher = LABEL_VALUES.matcher(query);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a query of label values: " + query);
        }
        return matcher.group(1);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A benchmark's rows, as a table for people and as JSON for machines. Not thread-safe. */
public final class Report {
    private final String bench;
    private final List<Row> rows = new ArrayList<>();

    /**
     * One figure.
     *
     * @param unit {@code ns}, {@code us}, {@code ms}, {@code B}, ...
     */
    public record Row(String name, double value, String unit) {}

    public Report(String bench) {
        this.bench = bench;
    }

    /** Adds a row at the end. */
    public void add(String name, double value, String unit) {
        rows.add(new Row(name, value, unit));
    }

    /** The rows so far. */
    public List<Row> rows() {
        return List.copyOf(rows);
    }

    /** Prints the rows aligned. */
    public void print(PrintStream out) {
        int width = rows.stream().mapToInt(row -> row.name().length()).max().orElse(0);
        for (Row row : rows) {
            out.printf(Locale.ROOT, "%-" + Math.max(1, width) + "s %12.2f %s%n", row.name(), row.value(), row.unit());
        }
    }

    /** Writes {@code {"bench","command","commit","machine","rows":[{"name","value","unit"}]}}. */
    public void write(Path file) throws IOException {
        Path parent = file.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        Files.writeString(file, json());
    }

    String json() {
        StringBuilder json = new StringBuilder("{\"bench\":").append(quoted(bench));
        Origin.now()
                .forEach((name, value) ->
                        json.append(",\n").append(quoted(name)).append(':').append(quoted(value)));
        json.append(",\n\"rows\":[");
        String separator = "\n  ";
        for (Row row : rows) {
            json.append(separator).append("{\"name\":").append(quoted(row.name()));
            json.append(",\"value\":").append(number(row.value()));
            json.append(",\"unit\":").append(quoted(row.unit())).append('}');
            separator = ",\n  ";
        }
        return json.append("\n]}\n").toString();
    }

    private static String number(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%.4f", value) : "null";
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}

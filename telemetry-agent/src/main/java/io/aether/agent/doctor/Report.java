// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.doctor;

import java.util.List;
import java.util.Locale;
import tools.jackson.databind.json.JsonMapper;

/** The checks as text. */
final class Report {
    private Report() {}

    private record Json(int exit, List<JsonCheck> checks) {}

    private record JsonCheck(String group, String name, String level, String value, String fix) {}

    static String json(List<Check> checks, int exit) {
        List<JsonCheck> rows = checks.stream()
                .map(check ->
                        new JsonCheck(check.group(), check.name(), lower(check.level()), check.value(), check.fix()))
                .toList();
        return JsonMapper.builder().build().writerWithDefaultPrettyPrinter().writeValueAsString(new Json(exit, rows))
                + "\n";
    }

    static String table(List<Check> checks) {
        StringBuilder text = new StringBuilder();
        String group = "";
        for (Check check : checks) {
            if (!check.group().equals(group)) {
                group = check.group();
                text.append(group).append('\n');
            }
            text.append(
                    String.format(Locale.ROOT, "  %-22s %-8s %s%n", check.name(), lower(check.level()), check.value()));
            if (!check.fix().isEmpty()) {
                text.append(String.format(Locale.ROOT, "  %-22s %-8s fix: %s%n", "", "", check.fix()));
            }
        }
        long problems = count(checks, Check.Level.PROBLEM);
        return text.append(problems == 0 ? "nothing is in the agent's way" : problems + " in the agent's way")
                .append("; notes: ")
                .append(count(checks, Check.Level.NOTE))
                .append('\n')
                .toString();
    }

    private static long count(List<Check> checks, Check.Level level) {
        return checks.stream().filter(check -> check.level() == level).count();
    }

    private static String lower(Check.Level level) {
        return level.name().toLowerCase(Locale.ROOT);
    }
}

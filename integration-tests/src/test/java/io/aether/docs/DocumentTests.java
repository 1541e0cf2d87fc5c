// SPDX-License-Identifier: Apache-2.0
package io.aether.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.grafana.Repository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What documents name exists: files, headings, properties, commands, modules. */
class DocumentTests {

    private static final Pattern LINK = Pattern.compile("\\[[^]]*]\\(([^)\\s]+)\\)");
    private static final Pattern PROPERTY =
            Pattern.compile("(?<![\\w./@-])aether\\.[a-z]+[a-z0-9.<>\\[\\]*-]*[a-z0-9>]");
    private static final Pattern COMMAND = Pattern.compile("\\./aether ([a-z]+)((?: (?:[a-z][a-z-]*|--[a-z-]+))*)");
    private static final Pattern MODULE = Pattern.compile("mvn [^\\n`]*-pl ([a-z,-]+)");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (`[^|]*) \\|");
    private static final Pattern IN_BACKTICKS = Pattern.compile("`([^`]+)`");

    /** Names that look like a property and are a tag, a field of a log or a prefix of metrics. */
    private static final Pattern NO_PROPERTY = Pattern.compile("aether\\.(?:instance|class|attempt|limit|service"
            + "|probe|state|reason|fix|table\\.state|io|home|docker\\.required|kernel\\.required|terminal|org)");

    static List<String> all() {
        return Documents.all();
    }

    static List<String> ofToday() {
        return Documents.ofToday();
    }

    @ParameterizedTest
    @MethodSource("all")
    void linksLead(String file) {
        String text = Repository.text(file).replaceAll("(?s)```.*?```", "");
        Path folder = Repository.HOME.resolve(file).getParent();
        LINK.matcher(text)
                .results()
                .map(link -> link.group(1))
                .filter(link -> !link.matches("[a-z]+:.*"))
                .forEach(link -> {
                    String[] parts = link.split("#", 2);
                    Path target = parts[0].isEmpty()
                            ? Repository.HOME.resolve(file)
                            : folder.resolve(parts[0]).normalize();
                    assertThat(target).as(link).exists();
                    if (parts.length > 1 && Files.isRegularFile(target)) {
                        assertThat(Documents.anchors(
                                        Repository.HOME.relativize(target).toString()))
                                .as(link)
                                .contains(parts[1]);
                    }
                });
    }

    @ParameterizedTest
    @MethodSource("ofToday")
    void propertiesExist(String file) {
        Set<String> metrics = metrics();
        assertThat(PROPERTY.matcher(Repository.text(file)).results().map(MatchResult::group))
                .filteredOn(name -> !NO_PROPERTY.matcher(name).matches() && !metrics.contains(name))
                .allMatch(DocumentTests::isProperty);
    }

    /** A property, or the beginning of one as in {@code aether.agent.pin.*}. */
    private static boolean isProperty(String written) {
        String name = written.replaceAll("<[^>]+>|\\*", "[^.]+").replace("[n]", "\\[n]");
        return Metadata.knows(written)
                || Metadata.ofAether().stream().anyMatch(known -> known.matches(name + "(?:[.\\[].*)?"));
    }

    private static Set<String> metrics() {
        return Pattern.compile("`(aether\\.[a-z.]+)`")
                .matcher(Repository.text("docs/metrics.md"))
                .results()
                .map(name -> name.group(1))
                .collect(Collectors.toSet());
    }

    @Test
    void everyPropertyIsInTheReference() {
        assertThat(documented()).containsAll(Metadata.ofAether());
    }

    /** First cells of the tables of the reference; {@code .name} goes on after the last dot of the one before. */
    private static Set<String> documented() {
        Set<String> names = new TreeSet<>();
        ROW.matcher(Repository.text("docs/configuration.md")).results().forEach(row -> {
            String[] last = {""};
            IN_BACKTICKS
                    .matcher(row.group(1))
                    .results()
                    .map(cell -> cell.group(1))
                    .forEach(cell -> {
                        String name =
                                cell.startsWith(".") ? last[0].substring(0, last[0].lastIndexOf('.')) + cell : cell;
                        if (!cell.startsWith(".")) {
                            last[0] = name;
                        }
                        names.add(name.replaceAll("<[^>]+>", "*"));
                    });
        });
        return names;
    }

    @ParameterizedTest
    @MethodSource("ofToday")
    void commandsExist(String file) {
        String usage = Repository.text("aether").replaceAll("(?s).*<<'USAGE'\\n(.*?)\\nUSAGE.*", "$1");
        COMMAND.matcher(Repository.text(file)).results().forEach(command -> {
            assertThat(usage).as(command.group()).containsPattern("(?m)^  " + command.group(1) + " ");
            Stream.of(command.group(2).split(" "))
                    .filter(word -> word.startsWith("--"))
                    .forEach(option -> assertThat(usage).as(command.group()).contains(option));
            if (command.group(1).equals("bench") && command.group(2).matches(" [a-z-]+.*")) {
                assertThat(usage)
                        .containsPattern(
                                "(?m)^          " + command.group(2).strip().split(" ")[0] + " ");
            }
        });
    }

    @ParameterizedTest
    @MethodSource("ofToday")
    void modulesExist(String file) {
        assertThat(MODULE.matcher(Repository.text(file))
                        .results()
                        .flatMap(one -> Stream.of(one.group(1).split(","))))
                .allMatch(module -> Files.exists(Repository.HOME.resolve(module).resolve("pom.xml")));
    }
}

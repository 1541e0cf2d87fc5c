// SPDX-License-Identifier: Apache-2.0
package io.aether.docs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.net.URL;
import java.util.Collections;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * Names of the properties that applications, agent and Spring Boot know, from the metadata in their jars. A key of a map is
 * {@code *}, an index of a list {@code [n]}.
 */
public final class Metadata {

    private static final Pattern OF_RECORDS =
            Pattern.compile("java\\.util\\.(Map<java\\.lang\\.String,|List<)(io\\.aether\\.[\\w.$]+)>");
    private static final Set<String> NAMES = new TreeSet<>();
    private static final Set<String> MAPS = new TreeSet<>();

    static {
        try {
            for (URL file : Collections.list(
                    Metadata.class.getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
                try (InputStream in = file.openStream()) {
                    new ObjectMapper().readTree(in).path("properties").forEach(Metadata::add);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Metadata() {}

    private static void add(JsonNode property) {
        String name = property.path("name").asString();
        String type = property.path("type").asString();
        Matcher records = OF_RECORDS.matcher(type);
        if (records.matches()) {
            addAll(name + (records.group(1).startsWith("Map") ? ".*" : "[n]"), load(records.group(2)));
        } else {
            NAMES.add(name);
            if (type.startsWith("java.util.Map")) {
                MAPS.add(name);
            }
        }
    }

    private static void addAll(String prefix, Class<?> type) {
        for (RecordComponent component : type.getRecordComponents()) {
            String name = prefix + "." + DataObjectPropertyName.toDashedForm(component.getName());
            if (component.getType().isRecord()) {
                addAll(name, component.getType());
            } else {
                NAMES.add(component.getType() == java.util.Map.class ? name + ".*" : name);
            }
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Aether's own, of applications and agent. */
    public static Set<String> ofAether() {
        Set<String> own = new TreeSet<>(NAMES);
        own.removeIf(name -> !name.startsWith("aether."));
        return own;
    }

    /** Whether somebody knows a property of this name, as it stands in files and options. */
    public static boolean knows(String name) {
        String general = name.replaceAll("\\[\\d+]", "[n]");
        return NAMES.contains(general)
                || MAPS.stream().anyMatch(map -> general.startsWith(map + "."))
                || NAMES.stream().anyMatch(known -> known.contains("*") && general.matches(pattern(known)));
    }

    /** Whether somebody knows a property by this variable of the environment. */
    public static boolean knowsVariable(String variable) {
        return NAMES.stream().anyMatch(name -> variable(name).equals(variable));
    }

    private static String pattern(String known) {
        return known.replace("[n]", "\\[n]").replace(".", "\\.").replace("*", "[^.]+");
    }

    private static String variable(String name) {
        return name.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT);
    }
}

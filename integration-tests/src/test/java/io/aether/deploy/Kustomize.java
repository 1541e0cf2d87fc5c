// SPDX-License-Identifier: Apache-2.0
package io.aether.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;

/**
 * What kustomize makes of a folder, as far as these manifests need it, so that a test needs nothing installed. What it does not
 * know is an error. {@link ManifestTests} compares it with the real one where there is one.
 */
final class Kustomize {

    private static final ObjectMapper JSON = new ObjectMapper();

    private static final Set<String> KNOWN = Set.of(
            "apiVersion",
            "kind",
            "namespace",
            "labels",
            "resources",
            "components",
            "configMapGenerator",
            "patches",
            "images");

    /** Lists of objects that are merged by one of their fields; others take the other's place. */
    private static final Map<String, String> MERGED_BY =
            Map.of("containers", "name", "volumes", "name", "volumeMounts", "mountPath", "ports", "containerPort");

    private final Path folder;
    private final JsonNode file;
    private final List<ObjectNode> resources;

    private Kustomize(Path folder, List<ObjectNode> resources) {
        this.folder = folder;
        this.resources = resources;
        List<ObjectNode> documents = documents(read(folder.resolve("kustomization.yaml")));
        this.file = documents.get(0);
        file.fieldNames().forEachRemaining(field -> check(KNOWN.contains(field), "unknown field " + field));
    }

    /** The resources of a folder with a kustomization. */
    static List<ObjectNode> render(Path folder) {
        List<ObjectNode> resources = new ArrayList<>();
        new Kustomize(folder, resources).apply();
        return resources;
    }

    /** The documents of a YAML text; a key that stands twice is an error. */
    static List<ObjectNode> documents(String text) {
        LoaderOptions strict = new LoaderOptions();
        strict.setAllowDuplicateKeys(false);
        return StreamSupport.stream(new Yaml(strict).loadAll(text).spliterator(), false)
                .map(document -> (ObjectNode) JSON.valueToTree(document))
                .toList();
    }

    private void apply() {
        for (JsonNode path : file.path("resources")) {
            Path resource = folder.resolve(path.asText()).normalize();
            resources.addAll(Files.isDirectory(resource) ? render(resource) : documents(read(resource)));
        }
        file.path("components")
                .forEach(path -> new Kustomize(folder.resolve(path.asText()).normalize(), resources).apply());
        file.path("configMapGenerator").forEach(this::generate);
        file.path("patches").forEach(this::patch);
        if (file.has("namespace")) {
            resources.stream()
                    .filter(resource -> !kind(resource).equals("Namespace"))
                    .forEach(resource -> metadata(resource).put("namespace", text(file, "namespace")));
        }
        for (JsonNode labels : file.path("labels")) {
            resources.forEach(
                    resource -> metadata(resource).withObject("/labels").setAll((ObjectNode)
                            labels.path("pairs").deepCopy()));
        }
        file.path("images")
                .forEach(image -> resources.stream()
                        .flatMap(resource -> resource.findValues("containers").stream())
                        .forEach(containers -> containers.forEach(container -> tag((ObjectNode) container, image))));
    }

    private static void tag(ObjectNode container, JsonNode image) {
        if (container.path("image").asText().equals(text(image, "name"))) {
            container.put("image", text(image, "name") + ":" + text(image, "newTag"));
        }
    }

    private void generate(JsonNode generator) {
        ObjectNode map = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "ConfigMap");
        metadata(map).put("name", text(generator, "name"));
        ObjectNode data = map.withObject("/data");
        for (JsonNode literal : generator.path("literals")) {
            String[] pair = literal.asText().split("=", 2);
            data.put(pair[0], pair[1]);
        }
        generator.path("files").forEach(path -> data.put(path.asText(), read(folder.resolve(path.asText()))));
        resources.add(map);
    }

    private void patch(JsonNode patch) {
        String text = patch.has("path") ? read(folder.resolve(text(patch, "path"))) : text(patch, "patch");
        JsonNode change = JSON.valueToTree(new Yaml().load(text));
        List<ObjectNode> targets = resources.stream()
                .filter(resource -> patch.has("target")
                        ? isTarget(resource, patch.path("target"))
                        : kind(resource).equals(kind(change)) && name(resource).equals(name(change)))
                .toList();
        check(!targets.isEmpty(), "no target for the patch " + text);
        for (ObjectNode target : targets) {
            if (change.isArray()) {
                change.forEach(operation -> operate(target, operation));
            } else {
                String name = name(target);
                String kind = kind(target);
                merge(target, (ObjectNode) change.deepCopy());
                metadata(target.put("kind", kind)).put("name", name);
            }
        }
    }

    private static boolean isTarget(JsonNode resource, JsonNode target) {
        String[] label = target.path("labelSelector").asText("=").split("=", -1);
        return kind(resource).matches(target.path("kind").asText(".*"))
                && name(resource).matches(target.path("name").asText(".*"))
                && resource.path("metadata")
                        .path("labels")
                        .path(label[0])
                        .asText()
                        .equals(label[1]);
    }

    /** RFC 6902, add and replace. */
    private static void operate(ObjectNode target, JsonNode operation) {
        String path = text(operation, "path");
        int last = path.lastIndexOf('/');
        JsonNode parent = target.at(path.substring(0, last));
        String key = path.substring(last + 1);
        if (parent instanceof ArrayNode list
                && key.equals("-")
                && text(operation, "op").equals("add")) {
            list.add(operation.path("value"));
        } else {
            check(parent.has(key) && text(operation, "op").equals("replace"), "cannot do " + operation);
            ((ObjectNode) parent).set(key, operation.path("value"));
        }
    }

    /** As a strategic merge patch does. */
    private static void merge(ObjectNode into, ObjectNode patch) {
        patch.properties().forEach(field -> {
            JsonNode old = into.path(field.getKey());
            if (old instanceof ObjectNode object && field.getValue() instanceof ObjectNode change) {
                merge(object, change);
            } else if (old instanceof ArrayNode list && MERGED_BY.containsKey(field.getKey())) {
                field.getValue().forEach(change -> mergeInto(list, (ObjectNode) change, MERGED_BY.get(field.getKey())));
            } else {
                into.set(field.getKey(), field.getValue());
            }
        });
    }

    private static void mergeInto(ArrayNode list, ObjectNode change, String by) {
        for (JsonNode element : list) {
            if (element.path(by).equals(change.path(by))) {
                merge((ObjectNode) element, change);
                return;
            }
        }
        list.add(change);
    }

    private static String kind(JsonNode resource) {
        return text(resource, "kind");
    }

    private static String name(JsonNode resource) {
        return text(resource.path("metadata"), "name");
    }

    private static ObjectNode metadata(ObjectNode resource) {
        return resource.withObject("/metadata");
    }

    private static String text(JsonNode object, String field) {
        check(object.path(field).isTextual(), "no " + field + " in " + object);
        return object.path(field).asText();
    }

    private static void check(boolean right, String otherwise) {
        if (!right) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

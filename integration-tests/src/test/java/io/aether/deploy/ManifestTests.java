// SPDX-License-Identifier: Apache-2.0
package io.aether.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.aether.deploy.Stack.Workload;
import io.aether.grafana.Repository;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every manifest is what the API takes, and every name in it is the name of something. */
class ManifestTests {

    static List<Stack> stacks() {
        return Stream.of("base", "overlays/everything", "sample", "examples/own-deployment")
                .map(Stack::of)
                .toList();
    }

    @Test
    void everyKustomizationIsLookedAt() throws IOException {
        try (Stream<Path> files = Files.walk(Repository.HOME.resolve("deploy"))) {
            assertThat(files.filter(file -> file.endsWith("kustomization.yaml"))
                            .map(file -> Repository.HOME
                                    .resolve("deploy")
                                    .relativize(file.getParent())
                                    .toString())
                            .filter(folder -> !folder.startsWith("components")))
                    .containsExactlyInAnyOrderElementsOf(
                            stacks().stream().map(Stack::folder).toList());
        }
    }

    @Test
    void aFieldThatTheApiDoesNotKnowIsAnError() {
        ObjectNode account = Kustomize.documents("""
                apiVersion: apps/v1
                kind: DaemonSet
                metadata: {name: x}
                spec: {template: {spec: {hostPid: true}}}
                """).get(0);
        assertThatThrownBy(() -> Stack.typed(account)).hasMessageContaining("hostPid");
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void volumesAndMountsMatch(Stack stack) {
        for (Workload workload : stack.workloads()) {
            List<String> volumes = workload.template().getSpec().getVolumes().stream()
                    .map(Volume::getName)
                    .toList();
            List<VolumeMount> mounts = containers(workload)
                    .flatMap(one -> one.getVolumeMounts().stream())
                    .toList();
            assertThat(volumes).as(workload.name()).doesNotHaveDuplicates();
            assertThat(mounts).extracting(VolumeMount::getMountPath).doesNotHaveDuplicates();
            assertThat(mounts)
                    .as(workload.name())
                    .extracting(VolumeMount::getName)
                    .containsExactlyInAnyOrderElementsOf(volumes);
        }
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void configMapsAndAccountsExist(Stack stack) {
        List<String> maps = stack.names(ConfigMap.class);
        for (Workload workload : stack.workloads()) {
            Stream<String> used = Stream.concat(
                    workload.template().getSpec().getVolumes().stream()
                            .filter(volume -> volume.getConfigMap() != null)
                            .map(volume -> volume.getConfigMap().getName()),
                    containers(workload)
                            .flatMap(one -> one.getEnvFrom().stream())
                            .map(EnvFromSource::getConfigMapRef)
                            .map(reference -> reference.getName()));
            assertThat(used).as(workload.name()).allMatch(maps::contains);
            String account = workload.template().getSpec().getServiceAccountName();
            assertThat(account == null || stack.names(ServiceAccount.class).contains(account))
                    .as("account " + account)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void selectorsSelectAndPortsExist(Stack stack) {
        assertThat(stack.workloads())
                .isNotEmpty()
                .allSatisfy(one ->
                        assertThat(one.matches(one.selector())).as(one.name()).isTrue());
        for (Service service : stack.all(Service.class)) {
            List<Workload> selected = selected(stack, service.getSpec().getSelector());
            service.getSpec().getPorts().forEach(port -> assertHasPort(selected, port.getTargetPort()));
        }
        for (NetworkPolicy policy : stack.all(NetworkPolicy.class)) {
            Map<String, String> labels = policy.getSpec().getPodSelector().getMatchLabels();
            List<Workload> selected = selected(stack, labels == null ? Map.of() : labels);
            policy.getSpec().getIngress().stream()
                    .flatMap(rule -> rule.getPorts().stream())
                    .forEach(port -> assertHasPort(selected, port.getPort()));
        }
        for (PodMonitor monitor : stack.all(PodMonitor.class)) {
            List<Workload> selected = selected(stack, monitor.spec().selector().getMatchLabels());
            monitor.spec()
                    .podMetricsEndpoints()
                    .forEach(endpoint -> assertHasPort(selected, new IntOrString(endpoint.port())));
        }
        stack.workloads()
                .forEach(one -> containers(one)
                        .flatMap(container -> Stream.of(
                                container.getStartupProbe(),
                                container.getReadinessProbe(),
                                container.getLivenessProbe()))
                        .filter(Objects::nonNull)
                        .map(Probe::getHttpGet)
                        .forEach(get -> assertHasPort(List.of(one), get.getPort())));
    }

    private static List<Workload> selected(Stack stack, Map<String, String> labels) {
        List<Workload> selected =
                stack.workloads().stream().filter(one -> one.matches(labels)).toList();
        assertThat(selected).as("pods with " + labels).isNotEmpty();
        return selected;
    }

    private static void assertHasPort(List<Workload> workloads, IntOrString port) {
        for (Workload workload : workloads) {
            Stream<ContainerPort> ports = containers(workload).flatMap(one -> one.getPorts().stream());
            assertThat(ports)
                    .as(workload.name())
                    .anyMatch(one -> port.getStrVal() == null
                            ? port.getIntVal().equals(one.getContainerPort())
                            : port.getStrVal().equals(one.getName()));
        }
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void everythingIsInANamespaceOfItsOwn(Stack stack) {
        List<String> namespaces = stack.names(Namespace.class);
        if (!namespaces.isEmpty()) { // Who applies the example says where.
            assertThat(stack.resources())
                    .filteredOn(one -> !(one instanceof Namespace))
                    .extracting(one -> one.getMetadata().getNamespace())
                    .isSubsetOf(namespaces);
        }
        assertThat(stack.resources())
                .extracting(HasMetadata::getKind, one -> one.getMetadata().getName())
                .doesNotHaveDuplicates();
    }

    @Test
    void namesOfInstancesAreThoseOfPods() {
        Stack sample = Stack.of("sample");
        Map<String, Integer> replicas = new TreeMap<>();
        Map<String, String> servedBy = new TreeMap<>();
        for (StatefulSet set : sample.all(StatefulSet.class)) {
            String name = set.getSpec().getServiceName();
            assertThat(sample.names(Service.class)).contains(name);
            assertThat(name).isEqualTo(set.getMetadata().getName());
            replicas.put(name, set.getSpec().getReplicas());
            String services = set.getSpec()
                    .getTemplate()
                    .getSpec()
                    .getContainers()
                    .get(0)
                    .getArgs()
                    .get(0);
            Stream.of(services.substring(services.indexOf('=') + 1).split(","))
                    .forEach(service -> assertThat(servedBy.put(service, name)).isNull());
        }
        JsonNode config = Kustomize.documents(Repository.text("deploy/sample/application.yaml"))
                .get(0)
                .path("spring.cloud.discovery.client.simple.instances");
        assertThat(config.fieldNames()).toIterable().containsExactlyInAnyOrderElementsOf(servedBy.keySet());
        config.properties().forEach(service -> {
            String set = Objects.requireNonNull(servedBy.get(service.getKey()));
            assertThat(service.getValue().findValuesAsText("uri"))
                    .containsExactlyElementsOf(Stream.iterate(0, i -> i + 1)
                            .limit(replicas.get(set))
                            .map(i -> "http://" + set + "-" + i + "." + set + ":8080")
                            .toList());
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"base", "overlays/everything", "sample", "examples/own-deployment"})
    void kustomizeMakesTheSameOfThem(String folder) throws IOException, InterruptedException {
        assumeTrue(hasKubectl(), "no kubectl on the path");
        Path out = Files.createTempFile("kustomize", ".yaml");
        try {
            Process process = new ProcessBuilder("kubectl", "kustomize", "deploy/" + folder)
                    .directory(Repository.HOME.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(out.toFile())
                    .start();
            assertThat(process.waitFor()).as(Files.readString(out)).isZero();
            // Generated maps get a hash at the end of their name.
            String text = Files.readString(out, StandardCharsets.UTF_8)
                    .replaceAll("(name: (?:aether-agent|applications))-[a-z0-9]{10}\\b", "$1");
            assertThat(sorted(Kustomize.documents(text)))
                    .isEqualTo(sorted(
                            Kustomize.render(Repository.HOME.resolve("deploy").resolve(folder))));
        } finally {
            Files.delete(out);
        }
    }

    private static boolean hasKubectl() {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "kubectl")));
    }

    /** By kind and name, lists in any order: kustomize puts what a patch brings first. */
    private static List<Object> sorted(List<ObjectNode> resources) {
        return resources.stream()
                .map(ManifestTests::canonical)
                .sorted(Comparator.comparing(Object::toString))
                .toList();
    }

    private static Object canonical(JsonNode node) {
        if (node.isObject()) {
            Map<String, Object> fields = new TreeMap<>();
            node.properties().forEach(field -> fields.put(field.getKey(), canonical(field.getValue())));
            return fields;
        }
        if (node.isArray()) {
            return node.valueStream()
                    .map(ManifestTests::canonical)
                    .sorted(Comparator.comparing(Object::toString))
                    .toList();
        }
        return node.asText();
    }

    private static Stream<Container> containers(Workload workload) {
        return workload.template().getSpec().getContainers().stream();
    }
}

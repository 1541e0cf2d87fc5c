// SPDX-License-Identifier: Apache-2.0
package io.aether.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.deploy.Stack.Workload;
import io.aether.docs.Metadata;
import io.aether.grafana.Repository;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What agents and applications may do, which image they run, and what they are told. */
class PrivilegeTests {

    private static final Pattern ALL_ATTACHED = Pattern.compile("(?m)^\\| ([^|]+)\\|(?: attached \\|){8}$");
    private static final Pattern CAPABILITY = Pattern.compile("`CAP_([A-Z_]+)`");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([A-Z_]+)`[^|]*\\|");

    @Test
    void theAgentHasWhatTheDocumentsSay() {
        String attach = ALL_ATTACHED
                .matcher(Repository.text("docs/agent.md"))
                .results()
                .map(row -> row.group(1))
                .filter(capabilities -> !capabilities.contains("SYS_ADMIN"))
                .collect(Collectors.joining());
        List<String> base = capabilities("base");
        assertThat(base).containsAll(named(attach));
        assertThat(base).doesNotContain("SYS_ADMIN");
        assertThat(named(Repository.text("docs/agent.md"))).containsAll(capabilities("overlays/everything"));
        assertThat(ROW.matcher(Repository.text("docs/kubernetes.md")).results().map(row -> row.group(1)))
                .as("rows of docs/kubernetes.md")
                .containsExactlyInAnyOrderElementsOf(capabilities("overlays/everything"));
    }

    private static List<String> named(String text) {
        return CAPABILITY
                .matcher(text)
                .results()
                .map(name -> name.group(1))
                .distinct()
                .toList();
    }

    private static List<String> capabilities(String folder) {
        return Stack.of(folder)
                .workloads()
                .get(0)
                .template()
                .getSpec()
                .getContainers()
                .get(0)
                .getSecurityContext()
                .getCapabilities()
                .getAdd();
    }

    @ParameterizedTest
    @ValueSource(strings = {"base", "overlays/everything", "sample"})
    void nobodyHasMore(String folder) {
        for (Workload workload : Stack.of(folder).workloads()) {
            PodSpec pod = workload.template().getSpec();
            assertThat(pod.getAutomountServiceAccountToken()).as("a token").isFalse();
            assertThat(pod.getHostNetwork()).isNull();
            assertThat(pod.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
            for (Container container : pod.getContainers()) {
                assertThat(container.getSecurityContext().getPrivileged()).isNotEqualTo(true);
                assertThat(container.getSecurityContext().getReadOnlyRootFilesystem())
                        .isTrue();
                assertThat(container.getSecurityContext().getCapabilities().getDrop())
                        .containsExactly("ALL");
                assertThat(container.getResources().getLimits()).containsKey("memory");
                assertThat(container.getResources().getRequests()).containsKeys("memory", "cpu");
                assertThat(container.getReadinessProbe()).isNotNull();
                assertThat(container.getLivenessProbe()).isNotNull();
            }
        }
    }

    /** Only the agent writes the table; applications have one folder in it. */
    @ParameterizedTest
    @ValueSource(strings = {"sample", "examples/own-deployment"})
    void applicationsOnlyReadTheTable(String folder) {
        for (Workload workload : Stack.of(folder).workloads()) {
            PodSpec pod = workload.template().getSpec();
            assertThat(pod.getHostPID()).isNull();
            Map<String, String> paths = pod.getVolumes().stream()
                    .filter(volume -> volume.getHostPath() != null)
                    .collect(Collectors.toMap(
                            Volume::getName, volume -> volume.getHostPath().getPath()));
            assertThat(paths.values()).containsExactlyInAnyOrder("/run/aether", "/run/aether/apps");
            pod.getContainers().get(0).getVolumeMounts().stream()
                    .filter(mount -> paths.containsKey(mount.getName()))
                    .forEach(mount -> {
                        assertThat(mount.getMountPath()).isEqualTo(paths.get(mount.getName()));
                        assertThat(mount.getReadOnly() != null && mount.getReadOnly())
                                .isEqualTo(mount.getMountPath().equals("/run/aether"));
                    });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"base", "sample"})
    void imagesAreThoseOfTheDockerfile(String folder) {
        String dockerfile = Repository.text("Dockerfile");
        String version = Repository.text("pom.xml").replaceFirst("(?s).*?<version>([^<]+)</version>.*", "$1");
        for (Workload workload : Stack.of(folder).workloads()) {
            String image = workload.template().getSpec().getContainers().get(0).getImage();
            assertThat(image).matches("aether/\\w+:" + Pattern.quote(version));
            assertThat(dockerfile).contains(" AS " + image.substring("aether/".length(), image.indexOf(':')) + "\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"base", "sample"})
    void propertiesAndVariablesExist(String folder) {
        Stack stack = Stack.of(folder);
        for (Workload workload : stack.workloads()) {
            Container container = workload.template().getSpec().getContainers().get(0);
            assertThat(container.getEnv()).allMatch(variable -> Metadata.knowsVariable(variable.getName()));
            assertThat(container.getArgs()).allMatch(argument -> Metadata.knows(argument.replaceAll("^--|=.*", "")));
        }
        for (ConfigMap map : stack.all(ConfigMap.class)) {
            map.getData().forEach((name, value) -> {
                if (name.endsWith(".yaml")) {
                    Kustomize.documents(value)
                            .get(0)
                            .properties()
                            .forEach(group -> group.getValue()
                                    .fieldNames()
                                    .forEachRemaining(key -> assertThat(group.getKey() + "." + key)
                                            .matches(Metadata::knows, "is a property")));
                } else {
                    assertThat(name).matches(Metadata::knowsVariable, "is a property's variable");
                }
            });
        }
    }
}

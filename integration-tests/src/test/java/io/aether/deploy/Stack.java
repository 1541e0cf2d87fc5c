// SPDX-License-Identifier: Apache-2.0
package io.aether.deploy;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import io.aether.grafana.Repository;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The resources of one folder of {@code deploy}, as the models of a Kubernetes client. */
record Stack(String folder, List<HasMetadata> resources) {

    private static final Map<String, Class<? extends HasMetadata>> KINDS = Map.of(
            "v1/ConfigMap", ConfigMap.class,
            "v1/Namespace", Namespace.class,
            "v1/Service", Service.class,
            "v1/ServiceAccount", ServiceAccount.class,
            "apps/v1/DaemonSet", DaemonSet.class,
            "apps/v1/Deployment", Deployment.class,
            "apps/v1/StatefulSet", StatefulSet.class,
            "networking.k8s.io/v1/NetworkPolicy", NetworkPolicy.class,
            "monitoring.coreos.com/v1/PodMonitor", PodMonitor.class);

    /** The models keep fields that they do not know; these must not. */
    private static final ObjectMapper STRICT = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .setAnnotationIntrospector(new JacksonAnnotationIntrospector() {
                @Override
                public Boolean hasAnySetter(Annotated annotated) {
                    return false;
                }
            });

    /** What makes pods: its name, which pods are its own, and what they are. */
    record Workload(String name, Map<String, String> selector, PodTemplateSpec template, int replicas) {
        boolean matches(Map<String, String> labels) {
            return template.getMetadata().getLabels().entrySet().containsAll(labels.entrySet());
        }
    }

    static Stack of(String folder) {
        return new Stack(
                folder,
                Kustomize.render(Repository.HOME.resolve("deploy").resolve(folder)).stream()
                        .map(Stack::typed)
                        .toList());
    }

    static HasMetadata typed(JsonNode resource) {
        String kind = resource.path("apiVersion").asText() + "/"
                + resource.path("kind").asText();
        Class<? extends HasMetadata> type = KINDS.get(kind);
        if (type == null) {
            throw new IllegalArgumentException("no model for " + kind);
        }
        return STRICT.convertValue(resource, type);
    }

    <T extends HasMetadata> List<T> all(Class<T> type) {
        return resources.stream().filter(type::isInstance).map(type::cast).toList();
    }

    List<String> names(Class<? extends HasMetadata> type) {
        return all(type).stream().map(one -> one.getMetadata().getName()).toList();
    }

    List<Workload> workloads() {
        return resources.stream().flatMap(Stack::workload).toList();
    }

    private static Stream<Workload> workload(HasMetadata resource) {
        String name = resource.getMetadata().getName();
        if (resource instanceof DaemonSet set) {
            return Stream.of(new Workload(
                    name,
                    set.getSpec().getSelector().getMatchLabels(),
                    set.getSpec().getTemplate(),
                    1));
        }
        if (resource instanceof Deployment deployment) {
            Integer replicas = deployment.getSpec().getReplicas();
            return Stream.of(new Workload(
                    name,
                    deployment.getSpec().getSelector().getMatchLabels(),
                    deployment.getSpec().getTemplate(),
                    replicas == null ? 1 : replicas));
        }
        if (resource instanceof StatefulSet set) {
            return Stream.of(new Workload(
                    name,
                    set.getSpec().getSelector().getMatchLabels(),
                    set.getSpec().getTemplate(),
                    set.getSpec().getReplicas()));
        }
        return Stream.empty();
    }

    @Override
    public String toString() {
        return folder;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.deploy;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.List;
import java.util.Objects;

/** Of the Prometheus operator's kind (monitoring.coreos.com/v1) the fields that are used here. */
@JsonDeserialize(using = JsonDeserializer.None.class) // Not the interface's, which knows no such kind.
final class PodMonitor implements HasMetadata {

    record Spec(LabelSelector selector, List<Endpoint> podMetricsEndpoints) {}

    record Endpoint(String port, String path, String interval, List<Relabeling> relabelings) {}

    record Relabeling(List<String> sourceLabels, String targetLabel) {}

    private String apiVersion;
    private final String kind;
    private ObjectMeta metadata;
    private final Spec spec;

    @JsonCreator
    PodMonitor(
            @JsonProperty("apiVersion") String apiVersion,
            @JsonProperty("kind") String kind,
            @JsonProperty("metadata") ObjectMeta metadata,
            @JsonProperty("spec") Spec spec) {
        this.apiVersion = apiVersion;
        this.kind = kind;
        this.metadata = metadata;
        this.spec = Objects.requireNonNull(spec);
    }

    Spec spec() {
        return spec;
    }

    @Override
    public String getKind() {
        return kind;
    }

    @Override
    public String getApiVersion() {
        return apiVersion;
    }

    @Override
    public void setApiVersion(String version) {
        apiVersion = version;
    }

    @Override
    public ObjectMeta getMetadata() {
        return metadata;
    }

    @Override
    public void setMetadata(ObjectMeta next) {
        metadata = next;
    }
}

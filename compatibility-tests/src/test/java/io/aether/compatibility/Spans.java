// SPDX-License-Identifier: Apache-2.0
package io.aether.compatibility;

import static org.awaitility.Awaitility.await;

import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Keeps the spans that OpenTelemetry would export. */
@Configuration(proxyBeanMethods = false)
class Spans {

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();

    @Bean
    SpanProcessor keepSpans() {
        return SimpleSpanProcessor.create(exporter);
    }

    void forget() {
        exporter.reset();
    }

    /** The spans of calls that ended since the last {@link #forget}, when there are so many. */
    List<SpanData> calls(int count) {
        return await().until(
                        () -> exporter.getFinishedSpanItems().stream()
                                .filter(span -> span.getKind() == SpanKind.CLIENT)
                                .toList(),
                        spans -> spans.size() >= count);
    }

    /** What Aether says in a span, without its prefix. */
    static Map<String, String> said(SpanData span) {
        Map<String, String> said = new TreeMap<>();
        span.getAttributes().forEach((key, value) -> {
            if (key.getKey().startsWith("aether.")) {
                said.put(key.getKey().substring("aether.".length()), value.toString());
            }
        });
        return said;
    }
}

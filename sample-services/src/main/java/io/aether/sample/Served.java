// SPDX-License-Identifier: Apache-2.0
package io.aether.sample;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** Requests that reached this process, by service, whatever became of them. Thread-safe. */
@Component
class Served {

    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    void count(String service) {
        counts.computeIfAbsent(service, id -> new LongAdder()).increment();
    }

    /** One line per service: id, a blank, the count. */
    String lines() {
        return new TreeMap<>(counts)
                .entrySet().stream()
                        .map(entry -> entry.getKey() + " " + entry.getValue().sum() + "\n")
                        .collect(Collectors.joining());
    }
}

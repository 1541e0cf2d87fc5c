// SPDX-License-Identifier: Apache-2.0
package io.aether.sample;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Requests that reached this process, by service, and those that it worked on. Thread-safe. */
@Component
class Served {

    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> done = new ConcurrentHashMap<>();

    void count(String service) {
        counts.computeIfAbsent(service, id -> new LongAdder()).increment();
    }

    /** Its own work is done, whatever becomes of its calls. */
    void done(String service) {
        done.computeIfAbsent(service, id -> new LongAdder()).increment();
    }

    /** One line per service: id, requests that came, and those whose own work was done, with blanks between. */
    String lines() {
        return new TreeMap<>(counts)
                .entrySet().stream()
                        .map(entry -> entry.getKey() + " " + entry.getValue().sum() + " "
                                + sum(done.get(entry.getKey())) + "\n")
                        .collect(Collectors.joining());
    }

    private static long sum(@Nullable LongAdder count) {
        return count == null ? 0 : count.sum();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import io.aether.core.limit.Priority;
import io.aether.core.pick.Mode;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Requests that were not let in, by mode, reason and priority. Thread-safe. */
final class Refusals {
    private final Map<Mode, Map<Verdict, Map<Priority, LongAdder>>> counts = new EnumMap<>(Mode.class);

    Refusals() {
        for (Mode mode : Mode.values()) {
            Map<Verdict, Map<Priority, LongAdder>> verdicts = new EnumMap<>(Verdict.class);
            for (Verdict verdict : Verdict.values()) {
                Map<Priority, LongAdder> priorities = new EnumMap<>(Priority.class);
                for (Priority priority : Priority.values()) {
                    priorities.put(priority, new LongAdder());
                }
                verdicts.put(verdict, priorities);
            }
            counts.put(mode, verdicts);
        }
    }

    void count(Mode mode, Verdict verdict, Priority priority) {
        adder(mode, verdict, priority).increment();
    }

    long get(Mode mode, Verdict verdict, Priority priority) {
        return adder(mode, verdict, priority).sum();
    }

    private LongAdder adder(Mode mode, Verdict verdict, Priority priority) {
        Map<Verdict, Map<Priority, LongAdder>> verdicts = Objects.requireNonNull(counts.get(mode));
        return Objects.requireNonNull(
                Objects.requireNonNull(verdicts.get(verdict)).get(priority));
    }
}

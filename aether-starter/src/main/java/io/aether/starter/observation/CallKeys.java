// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.observation;

import io.aether.core.pick.InstanceClass;
import io.aether.core.pick.InstanceKey;
import io.aether.starter.limit.Destination;
import io.aether.starter.limit.Passage;
import io.aether.starter.limit.Ruling;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The key values of calls. Those of low cardinality are tags of meters and of spans, and there for every call, because meters
 * of one name need the same tags; the instance is a tag of spans alone.
 */
final class CallKeys {

    /** Of the instance when the attempt was sent: {@code cold}, {@code hot}, {@code degraded} or {@code ejected}. */
    static final String CLASS = "aether.class";
    /** Which attempt answered: {@code 1}, {@code 2}, {@code more}, or {@code hedge}, which ran beside the first. */
    static final String ATTEMPT = "aether.attempt";
    /** What the limiter said: see {@link Ruling}. */
    static final String LIMIT = "aether.limit";
    /** Host and port. */
    static final String INSTANCE = "aether.instance";

    private static final String NONE = "none";

    /** Of calls that no filter of Aether's saw. */
    private static final KeyValues OF_OTHERS = KeyValues.of(CLASS, NONE, ATTEMPT, NONE, LIMIT, NONE);

    private CallKeys() {}

    static KeyValues low(@Nullable Passage call) {
        if (call == null) {
            return OF_OTHERS;
        }
        Passage told = call.told();
        Destination destination = told.destination();
        return KeyValues.of(
                KeyValue.of(CLASS, destination == null ? NONE : name(destination.standing())),
                KeyValue.of(ATTEMPT, attempt(told)),
                KeyValue.of(LIMIT, name(told.ruling())));
    }

    static KeyValues high(@Nullable Passage call) {
        Destination destination = call == null ? null : call.told().destination();
        if (destination == null) {
            return KeyValues.empty();
        }
        InstanceKey key = destination.instance().key();
        return KeyValues.of(INSTANCE, key.host() + ':' + key.port());
    }

    private static String attempt(Passage call) {
        if (call.isBeside()) {
            return "hedge";
        }
        return switch (call.attempts()) {
            case 0 -> NONE;
            case 1 -> "1";
            case 2 -> "2";
            default -> "more";
        };
    }

    private static String name(InstanceClass standing) {
        return standing.name().toLowerCase(Locale.ROOT);
    }

    private static String name(Ruling ruling) {
        return ruling.name().toLowerCase(Locale.ROOT);
    }
}

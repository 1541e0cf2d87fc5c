// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.observation;

import io.aether.starter.limit.Passage;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationFilter;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Adds to the observations of one kind of client what is known of their calls. Runs when an observation ends, before its
 * handlers make a timer and a span of it.
 *
 * @param <C> what the client observes with
 */
public final class CallObservationFilter<C extends Observation.Context> implements ObservationFilter {

    private final Class<C> type;
    private final Function<C, @Nullable Object> call;

    /**
     * Creates the filter.
     *
     * @param call finds the call's {@link Passage}; anything else means that Aether had nothing to do with it
     */
    public CallObservationFilter(Class<C> type, Function<C, @Nullable Object> call) {
        this.type = type;
        this.call = call;
    }

    @Override
    public Observation.Context map(Observation.Context context) {
        if (type.isInstance(context)) {
            Passage passage = call.apply(type.cast(context)) instanceof Passage found ? found : null;
            context.addLowCardinalityKeyValues(CallKeys.low(passage));
            context.addHighCardinalityKeyValues(CallKeys.high(passage));
        }
        return context;
    }
}

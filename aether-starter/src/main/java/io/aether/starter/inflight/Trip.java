// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.inflight;

import io.aether.core.pick.Instance;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.RequestData;
import org.springframework.cloud.client.loadbalancer.RequestDataContext;

/**
 * One call of an application through a load-balanced client, over all its attempts. It rides along as an attribute of the
 * request, which Spring hands to the balancer: so the balancer can say which instance it chose, and the filter around the
 * attempt counts exactly that one, without a lookup.
 *
 * <p>Attempts of one call follow each other, perhaps on different threads; cancellation may come from any thread.
 */
public final class Trip {

    /** Name of the request attribute. */
    public static final String ATTRIBUTE = Trip.class.getName();

    private final Flights flights;
    private volatile @Nullable Instance chosen;
    private volatile @Nullable Instance failed;
    private volatile @Nullable Flight flight;

    /** Creates a trip whose attempts are counted by {@code flights}. */
    public Trip(Flights flights) {
        this.flights = flights;
    }

    /** The trip that {@code request} belongs to, or null when another entry point than ours made it. */
    public static @Nullable Trip of(Request<?> request) {
        RequestData data = dataOf(request);
        return data != null && data.getAttributes().get(ATTRIBUTE) instanceof Trip trip ? trip : null;
    }

    static @Nullable RequestData dataOf(Request<?> request) {
        return request.getContext() instanceof RequestDataContext context ? context.getClientRequest() : null;
    }

    /** Says which instance the next attempt goes to; null when Aether does not know it. */
    public void choose(@Nullable Instance instance) {
        chosen = instance;
    }

    /** The instance that the attempt goes to or went to; null before it was chosen, or when Aether does not know it. */
    public @Nullable Instance chosen() {
        return chosen;
    }

    /** The trip of a second attempt that runs beside this one's and avoids its instance. */
    public Trip beside() {
        return avoiding(flights, chosen);
    }

    /** A trip that avoids an instance from the start. */
    public static Trip avoiding(Flights flights, @Nullable Instance instance) {
        Trip trip = new Trip(flights);
        trip.failed = instance;
        return trip;
    }

    /** Whether the attempt would go where it should not: nobody else was there to choose. */
    @SuppressWarnings("ReferenceEquality") // One object for each instance.
    public boolean meetsAvoided() {
        Instance instance = chosen;
        return instance == null || instance == failed;
    }

    /** The instance that failed this call last, to be avoided; null when none did. */
    public @Nullable Instance avoid() {
        return failed;
    }

    /**
     * Starts an attempt on the chosen instance. The attempt before it is over by then, even if nobody read its body.
     * Null when the chosen instance is not known to Aether.
     */
    public @Nullable Flight begin() {
        finish();
        Instance instance = chosen;
        if (instance == null) {
            return null;
        }
        Flight started = flights.start(instance, this);
        flight = started;
        return started;
    }

    /** Ends the running attempt, if any. Idempotent. */
    public void finish() {
        Flight running = flight;
        if (running != null) {
            running.end();
        }
    }

    void failed(Instance instance) {
        failed = instance;
    }
}

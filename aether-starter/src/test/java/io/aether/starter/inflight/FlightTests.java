// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.inflight;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.pick.Fleet;
import io.aether.core.pick.Instance;
import io.aether.core.pick.InstanceKey;
import io.aether.core.pick.KernelView;
import io.aether.core.pick.PickSettings;
import io.aether.core.pick.Signals;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What counts as the latency of an answer, and what an outcome does to the instance. */
class FlightTests {

    private long now = TimeUnit.SECONDS.toNanos(1);
    private final Fleet fleet = new Fleet("shop", PickSettings.defaults(), () -> now, bound -> 0, KernelView.NONE);
    private final Flights flights = new Flights(() -> now, (instance, kind) -> {});
    private final Instance instance;

    FlightTests() {
        fleet.update(List.of(new InstanceKey("shop", "http", "127.0.0.1", 8080)));
        instance = fleet.instances().get(0);
    }

    @Test
    void anAnswerOfKnownLengthCountsUntilItsLastByte() {
        Flight flight = flights.start(instance);
        pass(5);
        flight.answered(200, null, "application/json", 8_000);
        pass(195);
        flight.arrived();
        flight.end();
        assertThat(latencyMillis()).isEqualTo(200);
    }

    @Test
    void anAnswerOfUnknownOrGreatLengthCountsUntilItsHeaders() {
        for (long length : new long[] {-1, Flight.WHOLE_BYTES + 1}) {
            Flight flight = flights.start(instance);
            pass(5);
            flight.answered(200, null, "application/json", length);
            pass(195);
            flight.arrived();
            flight.end();
            assertThat(latencyMillis()).isEqualTo(5);
        }
    }

    @Test
    void aFailureWithABodyIsAFailureAtItsHeaders() {
        Flight flight = flights.start(instance);
        flight.answered(503, null, "application/json", 8_000);
        assertThat(instance.failures()).isOne();
        flight.arrived();
        flight.end();
        assertThat(instance.failures()).isOne();
        assertThat(instance.inFlight()).isZero();
    }

    @Test
    void aBodyThatNobodyReadTellsNothing() {
        Flight flight = flights.start(instance);
        flight.answered(200, null, "application/json", 8_000);
        pass(10_000);
        flight.end();
        assertThat(instance.inFlight()).isZero();
        assertThat(latencyMillis()).isLessThan(100);
    }

    private void pass(long millis) {
        now += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private double latencyMillis() {
        return Math.round(fleet.snapshot(Signals.APPLICATION).get(0).latencyMillis());
    }
}

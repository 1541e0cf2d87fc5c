// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.actuator;

import io.aether.core.NanoClock;
import io.aether.core.limit.Priority;
import io.aether.core.pick.Mode;
import io.aether.starter.server.OwnQueue;
import io.aether.starter.server.QueueReporter;
import io.aether.starter.server.ServerGate;
import io.aether.starter.server.ServerLoad;
import io.aether.starter.server.Verdict;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/** The {@code aetherserver} endpoint: what this server has in hand and refused, and whether it refuses. */
@Endpoint(id = "aetherserver")
public final class AetherServerEndpoint {
    private static final double NANOS_PER_MILLI = 1e6;

    private final ServerLoad load;
    private final OwnQueue queue;
    private final ServerGate gate;
    private final QueueReporter reporter;
    private final NanoClock clock;

    /** Creates the endpoint. */
    public AetherServerEndpoint(
            ServerLoad load, OwnQueue queue, ServerGate gate, QueueReporter reporter, NanoClock clock) {
        this.load = load;
        this.queue = queue;
        this.gate = gate;
        this.reporter = reporter;
        this.clock = clock;
    }

    /**
     * The server now.
     *
     * @param mode on, observe or off
     * @param running requests begun, without those that wait for other services
     * @param waiting requests that wait for a thread or a CPU
     * @param downstream requests that wait for other services
     * @param waitMillis estimated wait of a request that comes now
     * @param limitMillis wait beyond which every request is refused
     * @param serviceMillis mean time of a request while nothing queues
     * @param pressure 0 to 255
     * @param telling whether the node's agent can read it
     * @param refusals requests not begun since the start, by reason and priority; what there was none of is left out
     */
    public record Report(
            String mode,
            int running,
            int waiting,
            int downstream,
            double waitMillis,
            double limitMillis,
            double serviceMillis,
            int pressure,
            boolean telling,
            Map<String, Long> refusals) {}

    /** Everything there is to know. */
    @ReadOperation
    public Report report() {
        double wait = queue.waitNanos(clock.nanos());
        Mode mode = gate.mode();
        return new Report(
                lower(mode),
                load.own(),
                queue.waiting(),
                load.downstream(),
                wait / NANOS_PER_MILLI,
                gate.hardLimitNanos() / NANOS_PER_MILLI,
                load.calmTime().nanos() / NANOS_PER_MILLI,
                gate.pressure(wait),
                reporter.telling(),
                refusals());
    }

    private Map<String, Long> refusals() {
        Map<String, Long> counts = new TreeMap<>();
        for (Mode mode : new Mode[] {Mode.ON, Mode.OBSERVE}) {
            for (Verdict verdict : Verdict.values()) {
                for (Priority priority : Priority.values()) {
                    long count = gate.refusals(mode, verdict, priority);
                    if (count > 0) {
                        counts.put(lower(mode) + " " + lower(verdict) + " " + lower(priority), count);
                    }
                }
            }
        }
        return counts;
    }

    /**
     * Changes the mode.
     *
     * @param mode on, observe or off
     * @return the report, or status 400 with what was wrong
     */
    @WriteOperation
    public WebEndpointResponse<Object> change(String mode) {
        for (Mode known : Mode.values()) {
            if (known.name().equalsIgnoreCase(mode)) {
                gate.mode(known);
                return new WebEndpointResponse<>(report());
            }
        }
        return new WebEndpointResponse<>(
                Map.of("error", "Unknown mode \"" + mode + "\". Allowed: off, observe, on"),
                WebEndpointResponse.STATUS_BAD_REQUEST);
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.actuator;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.aether.core.pick.Decision;
import io.aether.core.pick.Instance;
import io.aether.core.pick.InstanceSnapshot;
import io.aether.core.table.TableSource;
import io.aether.starter.balancer.Policy;
import io.aether.starter.balancer.RecordedDecision;
import io.aether.starter.balancer.ServiceFleet;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.hedge.Hedges;
import io.aether.starter.limit.BranchLimits;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the endpoint says. Times in milliseconds unless a name says otherwise; enums in lower case, as they are written in the
 * configuration.
 *
 * @param mode the common mode
 * @param signals the common signals
 * @param services by id
 * @param limits missing where nothing is limited
 * @param hedges missing where nothing can be hedged
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AetherReport(
        String mode,
        String signals,
        Table table,
        Map<String, Service> services,
        @Nullable LimitReport limits,
        @Nullable HedgeReport hedges) {

    private static final double NANOS_PER_MILLI = 1e6;

    /**
     * The health table.
     *
     * @param reason why it is not live, and what to do
     * @param heartbeatAgeMs age of its writer's last sign of life; missing without a writer
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Table(
            String state,
            String path,
            @Nullable String reason,
            @Nullable Long heartbeatAgeMs) {}

    /** One service. */
    public record Service(String mode, String signals, List<Member> instances, List<Choice> decisions) {}

    /**
     * One instance.
     *
     * @param instanceClass class that a pick would see now
     * @param cost what picks compare, in ms
     * @param latencyMs the latency within the cost
     * @param signals each with its unit in its name
     */
    public record Member(
            String host,
            int port,
            @JsonProperty("class") String instanceClass,
            double cost,
            int inFlight,
            double latencyMs,
            long picks,
            long failures,
            Map<String, Signal> signals) {}

    /** One signal and its age. */
    public record Signal(double value, long ageMs) {}

    /**
     * One decision.
     *
     * @param chosen Aether's choice
     * @param roundRobin where a round robin would have sent the request
     * @param followed where the request went instead, in mode observe
     * @param avoided the instance that failed the same call before
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Choice(
            Instant time,
            String mode,
            String signals,
            List<Candidate> candidates,
            String chosen,
            @JsonProperty("class") String chosenClass,
            String reason,
            @Nullable String roundRobin,
            @Nullable String followed,
            @Nullable String avoided) {}

    /** One instance that a decision compared, with what it saw of it. */
    public record Candidate(
            String instance,
            @JsonProperty("class") String instanceClass,
            double cost,
            int inFlight,
            Map<String, Signal> signals) {}

    static AetherReport of(
            ServiceFleets fleets, TableSource table, @Nullable BranchLimits limits, @Nullable Hedges hedges) {
        Map<String, Service> services = new TreeMap<>();
        for (ServiceFleet fleet : fleets.all()) {
            services.put(fleet.service(), service(fleet));
        }
        Policy common = fleets.switches().common();
        return new AetherReport(
                lower(common.mode()),
                lower(common.signals()),
                table(table),
                services,
                limits == null ? null : LimitReport.of(limits),
                hedges == null ? null : HedgeReport.of(hedges));
    }

    private static Table table(TableSource table) {
        long age = table.heartbeatAgeNanos();
        return new Table(
                lower(table.state()),
                table.file().toString(),
                table.reason().isEmpty() ? null : table.reason(),
                age < 0 || age == Long.MAX_VALUE ? null : age / 1_000_000);
    }

    private static Service service(ServiceFleet fleet) {
        Policy policy = fleet.policy();
        return new Service(
                lower(policy.mode()),
                lower(policy.signals()),
                fleet.snapshot().stream().map(AetherReport::member).toList(),
                fleet.decisions().stream()
                        .filter(decision -> decision.explanation() != null)
                        .map(AetherReport::choice)
                        .toList());
    }

    private static Member member(InstanceSnapshot snapshot) {
        return new Member(
                snapshot.key().host(),
                snapshot.key().port(),
                lower(snapshot.instanceClass()),
                snapshot.cost() / NANOS_PER_MILLI,
                snapshot.inFlight(),
                snapshot.latencyMillis(),
                snapshot.picks(),
                snapshot.failures(),
                signals(snapshot.signals()));
    }

    private static Map<String, Signal> signals(List<InstanceSnapshot.SignalValue> values) {
        Map<String, Signal> signals = new TreeMap<>();
        values.forEach(signal -> signals.put(signal.name(), new Signal(signal.value(), signal.ageMillis())));
        return signals;
    }

    private static Choice choice(RecordedDecision recorded) {
        Decision decision = recorded.explanation();
        List<Candidate> candidates = decision == null
                ? List.of()
                : decision.candidates().stream()
                        .map(candidate -> new Candidate(
                                name(candidate.instance()),
                                lower(candidate.instanceClass()),
                                candidate.cost() / NANOS_PER_MILLI,
                                candidate.inFlight(),
                                signals(candidate.signals())))
                        .toList();
        Instance followed = recorded.followed();
        Instance avoided = recorded.avoided();
        Instance roundRobin = recorded.roundRobin();
        return new Choice(
                recorded.time(),
                lower(recorded.policy().mode()),
                lower(recorded.policy().signals()),
                candidates,
                name(recorded.chosen()),
                decision == null ? "" : lower(decision.chosenClass()),
                decision == null ? "" : decision.reason(),
                roundRobin == null ? null : name(roundRobin),
                followed == null ? null : name(followed),
                avoided == null ? null : name(avoided));
    }

    private static String name(Instance instance) {
        return instance.key().host() + ":" + instance.key().port();
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}

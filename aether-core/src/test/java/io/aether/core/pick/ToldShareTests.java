// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import static io.aether.core.pick.Simulation.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.pick.Simulation.Result;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What servers' words of their load do to traffic. */
class ToldShareTests {
    private static final long SEED = 20261130;
    private static final IntFunction<String> HONEST = inFlight -> inFlight + " 2500";

    private static Simulation simulation(int count, IntFunction<String> word) {
        Simulation simulation = new Simulation(count, 4, 2, SEED);
        simulation.servers.forEach(server -> server.word = word);
        return simulation;
    }

    /** Other clients keep one of four at its limit. */
    private static Result crowded(IntFunction<String> word) {
        Simulation simulation = simulation(4, word);
        simulation.strangers(simulation.servers.get(0), 1800, 30);
        return simulation.run(400, 30);
    }

    @Test
    void whereOthersSendTheirRequestsFewerGoAndWaitThere() {
        Result told = crowded(HONEST);
        Result untold = crowded(inFlight -> "");
        assertThat(told.share(0)).as("told %s untold %s", told, untold).isBetween(0.001, 0.05);
        assertThat(told.percentile(0.99)).isLessThan(untold.percentile(0.99) * 0.8);
    }

    @Test
    void equalsThatTellShareEvenly() {
        Result result = simulation(4, HONEST).run(4000, 60);
        for (int i = 0; i < 4; i++) {
            assertThat(result.share(i)).as("%s", result).isBetween(0.2, 0.3);
        }
    }

    @Test
    void someThatTellAndSomeThatDoNotShareEvenly() {
        Simulation simulation = simulation(4, HONEST);
        simulation.servers.get(0).word = inFlight -> "";
        simulation.servers.get(1).word = inFlight -> "";
        Result result = simulation.run(4000, 60);
        assertThat(result.share(0) + result.share(1)).as("%s", result).isBetween(0.4, 0.6);
    }

    /** Who boasts of idleness or speed gets more, not everything; who despairs gets little, not nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"0 0", "0 1", "1000000 3600000000", "1000000 0", "0 3600000000", "nonsense"})
    void aLiarMovesItsOwnShareOnly(String lie) {
        Simulation simulation = simulation(4, HONEST);
        simulation.servers.get(0).word = inFlight -> lie;
        Result result = simulation.run(3200, 30);
        assertThat(result.share(0)).as("%s", result).isBetween(0.00001, 0.5);
        assertThat(result.percentile(0.99)).isLessThan(40);
    }

    @Test
    void whoSaidItWasBusyIsTriedAgain() {
        Simulation simulation = simulation(4, HONEST);
        simulation.servers.get(0).word = inFlight -> "1000 500000";
        simulation.run(400, 20);
        simulation.servers.get(0).word = HONEST;
        simulation.at(simulation.now + SECOND, () -> {});
        assertThat(simulation.run(400, 30).share(0)).isGreaterThan(0.15);
    }
}

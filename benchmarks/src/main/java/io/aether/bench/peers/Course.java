// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers;

import io.aether.bench.Progress;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Plays the turns.
 *
 * @param warmMillis what every policy plays first, without a fault: for compilers, connections, and what balancers learn
 */
record Course(Site site, List<Fault> faults, int rounds, int warmMillis, int settleMillis, int millis) {
    /** Half of what the servers can serve: without one of five, and while one hangs, the others have room. */
    static final double RATE = 400;

    private static final int DRAIN_MILLIS = 250;

    /** By fault and policy. */
    Map<Fault, Map<Policy, Samples>> play(Harm harm, Progress progress) throws IOException, InterruptedException {
        for (Policy policy : site.policies()) {
            progress.update("warming " + policy.label());
            play(new Turn(Fault.NONE, policy, rounds), warmMillis, harm);
        }
        Map<Fault, Map<Policy, Samples>> all = new EnumMap<>(Fault.class);
        List<Turn> turns = Turn.all(faults, site.policies(), rounds);
        for (int i = 0; i < turns.size(); i++) {
            Turn turn = turns.get(i);
            Samples samples = play(turn, millis, harm);
            all.computeIfAbsent(turn.fault(), fault -> new EnumMap<>(Policy.class))
                    .merge(turn.policy(), samples, Samples::and);
            progress.update(String.format(
                    Locale.ROOT,
                    "%d of %d: %s %s P99 %.1f ms",
                    i + 1,
                    turns.size(),
                    turn.fault().label(),
                    turn.policy().label(),
                    samples.millis(99)));
        }
        return all;
    }

    private Samples play(Turn turn, int millis, Harm harm) throws IOException, InterruptedException {
        Party party = site.party(turn.policy());
        party.begin(new Block(RATE, settleMillis, millis, turn.seed()));
        harm.begin(turn.fault());
        Samples samples;
        try {
            samples = party.finish();
        } finally {
            harm.end(turn.fault());
        }
        site.await();
        Thread.sleep(DRAIN_MILLIS);
        return samples;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.dag;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A request to be sent.
 *
 * @param second after the block's start
 * @param draw names the service times of all its calls
 */
record Arrival(Flow flow, double second, long draw) {

    /** Poisson arrivals of all flows in a block's phases, the same ones for the same seed. */
    static List<Arrival> of(Phases phases, long seed) {
        List<Arrival> arrivals = new ArrayList<>();
        SplittableRandom seeds = new SplittableRandom(seed);
        for (Flow flow : Flow.values()) {
            SplittableRandom random = seeds.split();
            double second = 0;
            while (true) {
                // Whether the rate has changed meanwhile does not matter: the exponential forgets.
                double rate = flow.rate(second >= phases.step());
                double next = second - Math.log(1 - random.nextDouble()) / rate;
                if (second < phases.step() && next >= phases.step()) {
                    second = phases.step();
                    continue;
                }
                if (next >= phases.stop()) {
                    break;
                }
                second = next;
                arrivals.add(new Arrival(flow, second, random.nextLong() >>> 1));
            }
        }
        arrivals.sort(Comparator.comparingDouble(Arrival::second));
        return arrivals;
    }
}

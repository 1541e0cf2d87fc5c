// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overhead;

import io.aether.bench.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The same load without and with the agent, turn beside turn. Not thread-safe. */
final class Pairs {
    private final List<Load.Result> without = new ArrayList<>();
    private final List<Load.Result> with = new ArrayList<>();

    void add(Load.Result without, Load.Result with) {
        this.without.add(without);
        this.with.add(with);
    }

    int count() {
        return with.size();
    }

    /** Those of which no other machine on this host disturbed either turn. */
    Pairs calm() {
        Pairs calm = new Pairs();
        for (int i = 0; i < with.size(); i++) {
            if (without.get(i).calm() && with.get(i).calm()) {
                calm.add(without.get(i), with.get(i));
            }
        }
        return calm;
    }

    /** Requests per second, median of the turns. */
    double perSecond(boolean agent) {
        return Change.median(figures(agent ? with : without, Load.Result::perSecond));
    }

    /** 99th percentile, us, median of the turns. */
    double p99(boolean agent) {
        return Change.median(figures(agent ? with : without, Load.Result::p99Micros));
    }

    /** In %. */
    Change perSecondChange() {
        return change(Load.Result::perSecond);
    }

    /** In %. */
    Change p99Change() {
        return change(Load.Result::p99Micros);
    }

    private Change change(ToDoubleFunction<Load.Result> figure) {
        List<Double> changes = new ArrayList<>();
        for (int i = 0; i < with.size(); i++) {
            double before = figure.applyAsDouble(without.get(i));
            changes.add(100 * (figure.applyAsDouble(with.get(i)) - before) / before);
        }
        return Change.of(changes);
    }

    private static List<Double> figures(List<Load.Result> turns, ToDoubleFunction<Load.Result> figure) {
        return turns.stream().map(figure::applyAsDouble).toList();
    }
}

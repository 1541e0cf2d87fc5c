// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload;

import java.util.Locale;

/**
 * One run of one policy.
 *
 * @param policy what is done about the overload
 * @param clients how many there are
 * @param factor demand over capacity during the overload
 * @param costly whether a refusal takes a worker {@link Target#REFUSAL_NANOS}
 * @param mix equal clients, or not
 * @param seed of all draws
 * @param phases how long everything lasts
 */
public record Bout(Policy policy, int clients, double factor, boolean costly, Mix mix, long seed, Phases phases) {
    private static final int WORDS = 10;

    /** The part of its rows' names that tells it apart: {@code [costly ][skewed ]FACTORx CLIENTS POLICY}. */
    public String row() {
        return (costly ? "costly " : "")
                + (mix == Mix.SKEWED ? "skewed " : "")
                + String.format(Locale.ROOT, "%.1fx %d %s", factor, clients, policy.label());
    }

    /** One line, for {@link #parse}. */
    public String line() {
        return String.join(
                " ",
                policy.name(),
                Integer.toString(clients),
                Double.toString(factor),
                Boolean.toString(costly),
                mix.name(),
                Long.toString(seed),
                Integer.toString(phases.calm()),
                Integer.toString(phases.settle()),
                Integer.toString(phases.steady()),
                Integer.toString(phases.after()));
    }

    /** Of what {@link #line} gave; for anything else an {@link IllegalArgumentException}. */
    public static Bout parse(String line) {
        String[] words = line.split(" ", -1);
        if (words.length != WORDS) {
            throw new IllegalArgumentException("not a bout: " + line);
        }
        int[] times = new int[4];
        for (int i = 0; i < times.length; i++) {
            times[i] = Integer.parseInt(words[WORDS - times.length + i]);
        }
        return new Bout(
                Policy.valueOf(words[0]),
                Integer.parseInt(words[1]),
                Double.parseDouble(words[2]),
                Boolean.parseBoolean(words[3]),
                Mix.valueOf(words[4]),
                Long.parseLong(words[5]),
                new Phases(times[0], times[1], times[2], times[3]));
    }
}

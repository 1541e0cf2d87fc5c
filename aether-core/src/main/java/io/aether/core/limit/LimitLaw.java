// SPDX-License-Identifier: Apache-2.0
package io.aether.core.limit;

/**
 * How a branch's limit follows what the branch answers. Rates are per second.
 *
 * <p>The limit R hangs on the delivered rate D, not on its own past: {@code R = D m(F)}, where F is the share of answers
 * marked or refused and {@code m} falls from 1.10 at F = 0 to 0.80 at F = 1. So it does not cut on and on while a queue
 * drains, and rests where m = 1, at F = 0.32, whatever the capacity and however many clients there are. The addend A
 * is what makes unequal clients equal in time. {@code docs/backpressure.md} has the whole law.
 *
 * <p>Single-threaded; allocates nothing; every number stays finite whatever the windows hold.
 */
public final class LimitLaw {
    /** What {@link #rate} is while the branch is not limited. */
    public static final double OPEN = Double.POSITIVE_INFINITY;
    /** Answers that a memory of F lasts, and the seconds. */
    static final double MEMORY_ANSWERS = 5;

    static final double MEMORY_SECONDS = 1;
    /** D's share of news in a window: about one fifth of an answer each, so that low rates are averaged for longer. */
    private static final double LEAST_NEWS = 0.02;

    private static final double MOST_NEWS = 0.5;
    private static final double SLOWEST_DELIVERY = 0.5;
    /** How far above what is delivered the limit probes, and how far below it falls when all is marked. */
    static final double PROBE = 0.10;

    static final double CUT = 0.20;
    /** F below this is no congestion: one mark in twenty is noise of a healthy service. */
    public static final double CONGESTED = 0.05;
    /** Marks in one window that close an open branch. */
    static final double MARKS_TO_ENGAGE = 3;
    /** Least and most of R: below one per second nothing would be learnt any more. */
    public static final double LEAST_RATE = 1;

    static final double MOST_RATE = 1e6;
    private static final double USUAL_SECONDS = 0.05;
    private static final double SHORTEST_RATE_SECONDS = 0.01;
    private static final double SHORTEST_SECONDS = 1e-4;

    private static final double LONGEST_SECONDS = 1;

    /** Without an ECN-capable packet, or a word of pressure, for so long, there are none. */
    private static final double SILENT_SECONDS = 1;

    private final double releaseSeconds;
    private double congestion;
    private double observed;
    private double delivered;
    private double rate = OPEN;
    private double calmSeconds;
    /** Seconds since the last packet that could have been marked. */
    private double packetless = Double.MAX_VALUE / 4;
    /** Seconds since the last word of pressure. */
    private double wordless = Double.MAX_VALUE / 4;
    /** What counts as marks in the window at hand. */
    private double marks;

    /** An open branch that is released after {@code releaseSeconds} without congestion and without holding back. */
    public LimitLaw(double releaseSeconds) {
        this.releaseSeconds = releaseSeconds;
    }

    /** The limit after {@code window}, {@link #OPEN} for none. */
    public double close(Window window, boolean mayEngage) {
        double seconds = bound(window.seconds, SHORTEST_SECONDS, LONGEST_SECONDS);
        remember(window, seconds);
        double least = LEAST_NEWS * Math.min(1, seconds / USUAL_SECONDS);
        double news = bound(Math.max(delivered, SLOWEST_DELIVERY) * seconds / 5, least, MOST_NEWS);
        delivered = bound(delivered + news * (window.answers / seconds - delivered), 0, MOST_RATE);
        // A window that a refusal ended may be short, and then one answer is not a rate.
        double answerRate = bound(window.answers / Math.max(seconds, SHORTEST_RATE_SECONDS), 0, MOST_RATE);
        if (rate != OPEN) {
            follow(window, seconds);
        } else if (mayEngage) {
            engage(window, answerRate, seconds);
        }
        return rate;
    }

    private void remember(Window window, double seconds) {
        wordless = window.words > 0 ? 0 : wordless + seconds;
        packetless = window.marked + window.clean > 0 ? 0 : packetless + seconds;
        // Where no packet is ECN-capable, each answer counts as one, marked as far as its word of pressure goes.
        marks = packetless < SILENT_SECONDS ? window.marked : bound(window.pressed, 0, window.answers);
        double good = window.marked + window.clean > 0 ? window.clean : window.answers - marks;
        double bad = bound(marks + window.refused, 0, Double.MAX_VALUE / 4);
        double all = bad + bound(good, 0, Double.MAX_VALUE / 4);
        double keep = Math.max(0, 1 - all / MEMORY_ANSWERS) * Math.exp(-seconds / MEMORY_SECONDS);
        congestion = congestion * keep + bad;
        observed = observed * keep + all;
    }

    private void engage(Window window, double answerRate, double seconds) {
        double f = fraction();
        if (window.refused >= 1) {
            double base = Math.max(delivered, answerRate);
            limit(base * slope(f) + addend(base));
        } else if (marks >= MARKS_TO_ENGAGE && f > CONGESTED) {
            limit(Math.max(bound(window.sent / seconds, 0, MOST_RATE), delivered) * (1 + PROBE));
        }
    }

    private void follow(Window window, double seconds) {
        double f = fraction();
        calmSeconds = f < CONGESTED && window.heldBack == 0 ? calmSeconds + seconds : 0;
        if (calmSeconds >= releaseSeconds) {
            open();
        } else if (window.heard() || !window.inFlight) {
            double addend = addend(rate);
            double most = rate * (1 + PROBE) + addend;
            double anchored = delivered * slope(f);
            limit(
                    f < CONGESTED
                            ? Math.max(most, anchored + addend)
                            : bound(anchored + addend * (1 - f), rate / 2, most));
        }
    }

    private void limit(double target) {
        rate = bound(target, LEAST_RATE, MOST_RATE);
    }

    /** Forgets the limit and why; what is delivered stays known. */
    public void open() {
        rate = OPEN;
        congestion = 0;
        observed = 0;
        calmSeconds = 0;
    }

    /** The share of what was heard lately that was marked or refused, 0 to 1. */
    public double fraction() {
        return bound(congestion / Math.max(observed, 1), 0, 1);
    }

    /** The best way in which overload is told now; {@code reported} says whether the peers' kernels do. */
    Rung rung(boolean reported) {
        if (packetless < SILENT_SECONDS) {
            return Rung.MARKS;
        }
        if (reported) {
            return Rung.REPORT;
        }
        return wordless < SILENT_SECONDS ? Rung.HEADER : Rung.STATUS;
    }

    /** What the branch delivers, per second. */
    public double delivered() {
        return delivered;
    }

    /** The limit, per second; {@link #OPEN} for none. */
    public double rate() {
        return rate;
    }

    private static double slope(double f) {
        return (1 + PROBE * (1 - f)) * (1 - CUT * f);
    }

    /** Grows with the root of the rate, so that who has less gains more of what he has. */
    static double addend(double rate) {
        return Math.max(0.7, 0.35 * Math.sqrt(rate));
    }

    /** Within the bounds; what is not a number becomes the lower one. */
    private static double bound(double value, double least, double most) {
        return value > least ? Math.min(value, most) : least;
    }
}

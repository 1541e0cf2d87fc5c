// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import org.HdrHistogram.Histogram;

/**
 * What one arm achieved. Percentiles are over successful checkouts; those that failed are counted apart, because a
 * quick failure would flatter them. Not thread-safe.
 */
final class Figures {

    private static final long LONGEST_US = 120_000_000;

    private final Arm arm;
    private final Histogram micros = new Histogram(1, LONGEST_US, 3);
    private long errors;

    Figures(Arm arm) {
        this.arm = arm;
    }

    void add(Results.Timed checkout) {
        if (checkout.ok()) {
            micros.recordValue(Math.max(1, Math.min(LONGEST_US, Math.round(checkout.millis() * 1e3))));
        } else {
            errors++;
        }
    }

    Arm arm() {
        return arm;
    }

    /** All checkouts, failed ones included. */
    long requests() {
        return micros.getTotalCount() + errors;
    }

    long errors() {
        return errors;
    }

    /** Latency in milliseconds that {@code percentile} per cent of the successful checkouts do not exceed; 0 if none. */
    double millis(double percentile) {
        return micros.getTotalCount() == 0 ? 0 : micros.getValueAtPercentile(percentile) / 1e3;
    }
}

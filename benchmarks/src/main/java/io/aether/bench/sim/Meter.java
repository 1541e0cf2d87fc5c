// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim;

import io.aether.bench.sim.policy.Load;
import io.aether.core.score.AnswerTime;
import java.util.Arrays;

/** A server's own figures, for those policies that are told them: over the last full second, and latency by load. */
final class Meter {
    /** Latencies kept per number in flight, for the median. */
    private static final int KEPT = 16;

    private static final int MOST_IN_FLIGHT = 64;

    private final Agenda agenda;
    private final int workers;
    private final float[][] latencies = new float[MOST_IN_FLIGHT][];
    private final int[] counts = new int[MOST_IN_FLIGHT];
    private final float[] sorted = new float[KEPT];
    private long second;
    private double busyNanos;
    private int answers;
    private int errors;
    private double utilisation;
    private double perSecond;
    private double errorsPerSecond;
    private double service;
    /** As {@code ServerLoad} of the starter has it. */
    private final AnswerTime answerTime = new AnswerTime();

    private double answerNanos;

    Meter(Agenda agenda, int workers) {
        this.agenda = agenda;
        this.workers = workers;
    }

    void answered(int inFlightAtArrival, long latency, long worked, boolean failed) {
        roll();
        answers++;
        if (failed) {
            errors++;
        }
        busyNanos += worked;
        answerNanos = answerTime.with(latency, agenda.nanos());
        answerTime.observe(latency, agenda.nanos());
        service = service == 0 ? worked : service + (worked - service) / 16;
        int place = Math.min(MOST_IN_FLIGHT - 1, inFlightAtArrival);
        if (latencies[place] == null) {
            latencies[place] = new float[KEPT];
        }
        latencies[place][counts[place]++ % KEPT] = latency;
    }

    Load load(int inFlight) {
        roll();
        return new Load(inFlight, median(inFlight), service, utilisation, perSecond, errorsPerSecond, answerNanos);
    }

    /** The median at the nearest number in flight that has samples. */
    private double median(int inFlight) {
        int place = Math.min(MOST_IN_FLIGHT - 1, inFlight);
        for (int distance = 0; distance < MOST_IN_FLIGHT; distance++) {
            if (place - distance >= 0 && counts[place - distance] > 0) {
                return median(latencies[place - distance], counts[place - distance]);
            }
            if (place + distance < MOST_IN_FLIGHT && counts[place + distance] > 0) {
                return median(latencies[place + distance], counts[place + distance]);
            }
        }
        return 0;
    }

    private double median(float[] samples, int count) {
        int size = Math.min(count, KEPT);
        System.arraycopy(samples, 0, sorted, 0, size);
        Arrays.sort(sorted, 0, size);
        return sorted[size / 2];
    }

    private void roll() {
        long present = agenda.nanos() / Agenda.SECOND;
        if (present != second) {
            boolean last = present == second + 1;
            utilisation = last ? Math.min(1, busyNanos / Agenda.SECOND / workers) : 0;
            perSecond = last ? answers : 0;
            errorsPerSecond = last ? errors : 0;
            second = present;
            busyNanos = 0;
            answers = 0;
            errors = 0;
        }
    }
}

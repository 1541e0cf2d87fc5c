// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim;

/**
 * What the kernel of a server's machine knows of it, computed as the agent does: the mean run-queue wait of the last full
 * 100 ms (0 when nobody waited), an average of the time that data lay unread, the share of time throttled, stops.
 */
final class Vitals {
    /** The agent's sampling period of load. */
    private static final long PERIOD_NANOS = 100 * Agenda.MILLI;

    private final Agenda agenda;
    private long period;
    private long waitSum;
    private long waitCount;
    private double lastMean;
    private double sojourn;
    private long lastRead;
    int throttledPermille;
    /** When it stopped and starts again; both past when it runs. */
    long stoppedAt;

    long runsAgainAt;
    long goneAt;

    Vitals(Agenda agenda) {
        this.agenda = agenda;
    }

    void waitedForProcessor(long nanos) {
        roll();
        waitSum += nanos;
        waitCount++;
    }

    /** Data that lay unread for {@code nanos} has been read. */
    void read(long nanos) {
        sojourn += (nanos - sojourn) / 8;
        lastRead = agenda.nanos();
    }

    long runQueueMicros() {
        roll();
        return (long) (lastMean / 1000);
    }

    long sojournMicros() {
        return agenda.nanos() - lastRead > Agenda.SECOND ? 0 : (long) (sojourn / 1000);
    }

    boolean gone() {
        return goneAt != 0;
    }

    private void roll() {
        long present = agenda.nanos() / PERIOD_NANOS;
        if (present != period) {
            lastMean = present == period + 1 && waitCount > 0 ? (double) waitSum / waitCount : 0;
            period = present;
            waitSum = 0;
            waitCount = 0;
        }
    }
}

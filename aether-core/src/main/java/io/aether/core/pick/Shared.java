// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import io.aether.core.NanoClock;
import io.aether.core.score.Heard;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/** What the instances of one service share: constants, the list itself, and its typical latency and load. */
final class Shared {
    private static final VarHandle REFRESHED = refreshed();
    private static final Instance[] NOBODY = {};
    private static final long REFRESH_NANOS = 100_000_000L;
    /** Enough for a median that is right within a tenth, and cheap at any size of the fleet. */
    private static final int SAMPLE = 64;

    private static final double RATE_TAU_NANOS = 10e9;

    final NanoClock clock;
    final double tauNanos;
    final double penaltyNanos;
    final long maxRetryAfterNanos;
    final int ejectAfter;
    final long firstEjectionNanos;
    final long maxEjectionNanos;
    final int rampAnswers;
    final long warmUpNanos;
    private final double hotRatio;
    private final int hotFloor;

    volatile Instance[] instances = NOBODY;
    /** How many of them, the first ones, are in the callers' zone; 0 when that makes no difference. */
    volatile int near;

    final Zones zones = new Zones();
    volatile Norms norms;

    private final LongAdder answers = new LongAdder();
    private volatile long refreshed;
    private int offset;
    private long counted;
    /** Answers per ns, averaged. */
    private double rate;

    private double lived;

    Shared(PickSettings settings, NanoClock clock) {
        this.clock = clock;
        this.tauNanos = settings.ewmaTau().toNanos();
        this.penaltyNanos = settings.failurePenalty().toNanos();
        this.maxRetryAfterNanos = settings.maxRetryAfter().toNanos();
        this.ejectAfter = settings.ejectAfter();
        this.firstEjectionNanos = settings.firstEjection().toNanos();
        this.maxEjectionNanos = settings.maxEjection().toNanos();
        this.rampAnswers = settings.rampAnswers();
        this.warmUpNanos = settings.warmUp().toNanos();
        this.hotRatio = settings.hotRatio();
        this.hotFloor = settings.hotFloor();
        this.norms = Norms.unknown(hotFloor);
        this.refreshed = clock.nanos() - REFRESH_NANOS;
    }

    /** An answer, or what stands for one. Brings the norms up to date, ten times a second at most. */
    void answered(long now) {
        answers.increment();
        long last = refreshed;
        boolean due = now - last >= REFRESH_NANOS || norms.medianNanos() == 0;
        if (due && REFRESHED.compareAndSet(this, last, now)) {
            norms = summary(now - last, told(now));
            if (near > 0) {
                zones.judge(now - last);
            }
        }
    }

    private Told told(long now) {
        Instance[] all = instances;
        int size = Math.min(SAMPLE, all.length);
        float[] inFlight = new float[size];
        float[] nanos = new float[size];
        int count = 0;
        for (int i = 0; i < size; i++) {
            long heard = all[Math.floorMod(offset + i, all.length)].heard;
            if (Told.counts(heard, now)) {
                inFlight[count] = (float) Heard.inFlight(heard);
                nanos[count++] = (float) Heard.nanos(heard);
            }
        }
        return Told.of(inFlight, nanos, count);
    }

    private Norms summary(long elapsed, Told told) {
        Instance[] all = instances;
        int size = Math.min(SAMPLE, all.length);
        float[] measured = new float[size];
        float[] factors = new float[size];
        int count = 0;
        long load = 0;
        int start = size < all.length ? Math.floorMod(offset += SAMPLE, all.length) : 0;
        for (int i = 0; i < size; i++) {
            Instance instance = all[(start + i) % all.length];
            load += instance.inFlight();
            factors[i] = instance.sight().factor;
            float nanos = (float) instance.measuredNanos();
            if (nanos > 0) {
                measured[count++] = nanos;
            }
        }
        double mean = size == 0 ? 0 : (double) load / size;
        int hotAbove = (int) Math.max(hotFloor, Math.min(Integer.MAX_VALUE, hotRatio * (mean + 1)));
        double median = count == 0 ? norms.medianNanos() : median(measured, count);
        return Norms.of(
                median, gapNanos(elapsed, all.length), tauNanos, size == 0 ? 1 : median(factors, size), hotAbove, told);
    }

    /** The lower one of two. */
    private static float median(float[] values, int count) {
        Arrays.sort(values, 0, count);
        return values[(count - 1) / 2];
    }

    /** Mean time between two answers of one instance; infinite before it is known. */
    private double gapNanos(long elapsed, int size) {
        long sum = answers.sum();
        if (elapsed > 0) {
            lived += elapsed;
            double weight = Math.max(1 - Math.exp(-elapsed / RATE_TAU_NANOS), elapsed / lived);
            rate += weight * ((double) (sum - counted) / elapsed - rate);
            counted = sum;
        }
        return rate > 0 ? size / rate : Double.POSITIVE_INFINITY;
    }

    /** Whether more than half are ejected at {@code now}. Linear, but only called to eject. */
    boolean tooManyEjected(long now) {
        return surplus(now) > 0;
    }

    /** By how many more than half are ejected; not positive when they are not. */
    private int surplus(long now) {
        Instance[] all = instances;
        int ejected = 0;
        for (Instance instance : all) {
            if (now < instance.standing().ejectedUntil()) {
                ejected++;
            }
        }
        return ejected - all.length / 2;
    }

    /** Lets instances in again after the list changed, until no more than half are out. Linear. */
    void keepHalf(long now) {
        int surplus = surplus(now);
        for (Instance instance : instances) {
            if (surplus <= 0) {
                return;
            }
            if (now < instance.standing().ejectedUntil()) {
                instance.standing().letIn();
                surplus--;
            }
        }
    }

    private static VarHandle refreshed() {
        try {
            return MethodHandles.lookup().findVarHandle(Shared.class, "refreshed", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import io.aether.core.NanoClock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/** What the instances of one service share: constants, the list itself, and its typical latency and load. */
final class Shared {
    private static final VarHandle REFRESHED = refreshed();
    private static final Instance[] NOBODY = {};
    private static final long REFRESH_NANOS = 100_000_000L;
    /** Enough for a median that is right within a tenth, and cheap at any size of the fleet. */
    private static final int SAMPLE = 64;

    final NanoClock clock;
    final double tauNanos;
    final double penaltyNanos;
    final long maxRetryAfterNanos;
    final int ejectAfter;
    final long firstEjectionNanos;
    final long maxEjectionNanos;
    final int rampAnswers;
    private final double hotRatio;
    private final int hotFloor;

    volatile Instance[] instances = NOBODY;
    /** Of the measured estimates; 0 while nobody has answered. The lower one of two. */
    volatile double medianNanos;
    /** Of the kernel's health factors: what all suffer alike says nothing about any. The lower one of two. */
    volatile float medianFactor = 1;
    /** In flight, above which an instance is hot. */
    volatile int hotAbove;

    private volatile long refreshed;
    private int offset;

    Shared(PickSettings settings, NanoClock clock) {
        this.clock = clock;
        this.tauNanos = settings.ewmaTau().toNanos();
        this.penaltyNanos = settings.failurePenalty().toNanos();
        this.maxRetryAfterNanos = settings.maxRetryAfter().toNanos();
        this.ejectAfter = settings.ejectAfter();
        this.firstEjectionNanos = settings.firstEjection().toNanos();
        this.maxEjectionNanos = settings.maxEjection().toNanos();
        this.rampAnswers = settings.rampAnswers();
        this.hotRatio = settings.hotRatio();
        this.hotFloor = settings.hotFloor();
        this.hotAbove = hotFloor;
        this.refreshed = clock.nanos() - REFRESH_NANOS;
    }

    /** Brings median and load up to date, ten times a second at most. Called when answers come, never by a pick. */
    void refresh(long now) {
        long last = refreshed;
        boolean due = now - last >= REFRESH_NANOS || medianNanos == 0;
        if (due && REFRESHED.compareAndSet(this, last, now)) {
            summarise();
        }
    }

    private void summarise() {
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
        if (count > 0) {
            Arrays.sort(measured, 0, count);
            medianNanos = measured[(count - 1) / 2];
        }
        if (size > 0) {
            Arrays.sort(factors);
            medianFactor = factors[(size - 1) / 2];
        }
        double mean = size == 0 ? 0 : (double) load / size;
        hotAbove = (int) Math.max(hotFloor, Math.min(Integer.MAX_VALUE, hotRatio * (mean + 1)));
    }

    /** Whether more than half are ejected at {@code now}. Linear, but only called to eject. */
    boolean tooManyEjected(long now) {
        Instance[] all = instances;
        int ejected = 0;
        for (Instance instance : all) {
            if (now < instance.ejectedUntil()) {
                ejected++;
            }
        }
        return ejected > all.length / 2;
    }

    /** Lets instances in again after the list changed, until no more than half are out. */
    void keepHalf(long now) {
        for (Instance instance : instances) {
            if (!tooManyEjected(now)) {
                return;
            }
            if (now < instance.ejectedUntil()) {
                instance.letIn();
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

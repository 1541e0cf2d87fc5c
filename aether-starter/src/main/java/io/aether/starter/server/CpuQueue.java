// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * The queue for the CPU: what is in flight beyond what the CPUs can run, times what a request costs them. The usual overload of
 * servers with many threads, where no queue is to be seen: all of them are begun, and all are slow.
 *
 * <p>It is there only while the CPUs are busy. Requests that wait for something else, such as a timer or a lock, are in flight
 * too; so what is usually in flight while the CPUs are not busy is taken off first, and an idle server has no queue however many
 * requests sleep in it. Written by one thread, read by all.
 */
public final class CpuQueue {
    /** Below it the CPUs have time left, and nobody waits for them for long. */
    static final double BUSY = 0.9;
    /** Of what a request costs, and of what is usually in flight. Long enough to span a garbage collection of a slow server. */
    private static final double MEMORY_NANOS = 5e9;
    /** Fewer answers than these within the memory say nothing of what one costs. */
    static final double LEAST_ANSWERS = 50;

    private final ServerLoad load;
    private final LongSupplier cpuNanos;
    private final DoubleSupplier cpuUsage;
    private final int processors;

    private long lastNanos;
    private long lastCpu;
    private long lastAnswered;
    private double cpu;
    private double answers;
    private double usage;
    private boolean started;

    private volatile double shownUsage;
    private volatile double usual;
    private volatile double cost;

    /**
     * @param cpuNanos CPU time of this process; negative when unknown
     * @param cpuUsage share of the CPUs in use, 0 to 1, since it was asked last; negative when unknown
     */
    public CpuQueue(ServerLoad load, LongSupplier cpuNanos, DoubleSupplier cpuUsage, int processors) {
        this.load = load;
        this.cpuNanos = cpuNanos;
        this.cpuUsage = cpuUsage;
        this.processors = Math.max(1, processors);
    }

    /** Looks at the CPUs; ten times a second. */
    public void tick(long now) {
        long cpuNow = cpuNanos.getAsLong();
        long answeredNow = load.answered();
        long passed = now - lastNanos;
        if (started && passed > 0 && cpuNow >= lastCpu) {
            double keep = Math.exp(-passed / MEMORY_NANOS);
            cpu = cpu * keep + (cpuNow - lastCpu);
            answers = answers * keep + (answeredNow - lastAnswered);
            // One look sees some 10 ms of the kernel's ticks: two of them make a mean.
            usage += 0.5 * (bounded(cpuUsage.getAsDouble()) - usage);
            shownUsage = usage;
            judge(keep);
        }
        started = true;
        lastNanos = now;
        lastCpu = cpuNow;
        lastAnswered = answeredNow;
    }

    private void judge(double keep) {
        if (usage >= BUSY) {
            cost = answers >= LEAST_ANSWERS ? cpu / answers : 0;
        } else {
            cost = 0;
            usual = usual * keep + load.own() * (1 - keep);
        }
    }

    private static double bounded(double share) {
        return share > 0 ? Math.min(1, share) : 0;
    }

    /** Share of the CPUs in use, by this process and all others, 0 to 1. */
    double usage() {
        return shownUsage;
    }

    /** Requests begun that wait for a CPU; 0 while the CPUs are not busy. */
    public double waiting() {
        return cost == 0 ? 0 : Math.max(0, load.own() - Math.max(processors, usual));
    }

    /** How long one that comes now would wait for a CPU, in ns. */
    public double waitNanos() {
        return waiting() * cost / processors;
    }
}

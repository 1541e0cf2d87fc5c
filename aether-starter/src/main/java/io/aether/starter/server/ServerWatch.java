// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import io.aether.core.NanoClock;
import io.aether.core.pick.Mode;

/** What is done beside the requests: looks at the CPUs, guesses the objective, tells the agent. */
public final class ServerWatch {
    private static final long CPU_NANOS = 100_000_000;
    /** Less is the noise of arrivals; service times of then are those of a server without a queue. */
    private static final double CALM_NANOS = 1e6;

    private final ServerLoad load;
    private final OwnQueue queue;
    private final CpuQueue cpu;
    private final ServerGate gate;
    private final QueueReporter reporter;
    private final NanoClock clock;
    private long cpuAt;

    /** Watches a server. */
    public ServerWatch(
            ServerLoad load, OwnQueue queue, CpuQueue cpu, ServerGate gate, QueueReporter reporter, NanoClock clock) {
        this.load = load;
        this.queue = queue;
        this.cpu = cpu;
        this.gate = gate;
        this.reporter = reporter;
        this.clock = clock;
        this.cpuAt = clock.nanos() - CPU_NANOS;
    }

    /**
     * Some fifty times a second: as often as the agent's kernel can make something of it. Also while the mode is off: the times of
     * requests that queue meanwhile must not pass for service times when it is switched on.
     */
    public void tick() {
        long now = clock.nanos();
        if (now - cpuAt >= CPU_NANOS) {
            cpuAt = now;
            cpu.tick(now);
        }
        load.calm(queue.waitNanos(now) < CALM_NANOS);
        gate.tick();
        if (gate.mode() == Mode.ON) {
            reporter.tell(load, queue, gate, now);
        }
    }

    /** Now and then: the agent may have come or gone. In a mode that only observes nothing is told, for it would be acted on. */
    public void lookForAgent() {
        if (gate.mode() == Mode.ON) {
            reporter.open();
        } else {
            reporter.hush();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The agent, which can be ended and started again while everything else runs on. Thread-safe; looking waits for nothing. */
final class AgentSwitch implements AutoCloseable {

    /** Starts an agent and returns when it answers. */
    interface Start {
        Agent start() throws IOException;
    }

    private final Start start;
    private volatile @Nullable Agent agent;
    private boolean closed;

    /** An agent that is off. */
    AgentSwitch(Start start) {
        this.start = start;
    }

    /** Starts it or ends it, and returns when that is done; does nothing when it is so already. */
    synchronized void turn(boolean on) throws IOException {
        if (on == isOn() || closed) {
            return;
        }
        end();
        if (on) {
            agent = start.start();
        }
    }

    private void end() {
        Agent last = agent;
        agent = null;
        if (last != null) {
            last.close();
        }
    }

    boolean isOn() {
        return process().filter(Process::isAlive).isPresent();
    }

    /** True once, when the agent has ended by itself. Asked by one thread at a time. */
    boolean died() {
        Agent last = agent;
        return last != null && last.died();
    }

    Optional<Process> process() {
        return Optional.ofNullable(agent).map(Agent::process);
    }

    @Override
    public synchronized void close() {
        closed = true;
        end();
    }
}

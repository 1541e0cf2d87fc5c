// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.stream;

import io.aether.agent.bpf.Edge;
import io.aether.agent.bpf.EdgeListener;
import io.aether.agent.probe.ProbeService;
import io.aether.core.NanoClock;
import io.aether.core.table.TableLayout;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Turns edges into events and hands them to subscribers. Starts after the probes and stops before them and before the web
 * server, which would else wait for open streams. Thread-safe.
 */
@Component
public class EdgeStream implements SmartLifecycle, EdgeListener {
    private static final int[] FLAGS = {
        TableLayout.FLAG_CONGESTED, TableLayout.FLAG_STALLED, TableLayout.FLAG_GONE,
    };
    private static final String[] NAMES = {"congested", "stalled", "gone"};

    private final StreamProperties properties;
    private final ProbeService probes;
    private final NanoClock clock;
    private final InstantSource wallClock;
    private final EventLog log;
    private final String run;
    private final AtomicInteger subscribers = new AtomicInteger();
    private final AtomicLong pumpLosses = new AtomicLong();
    private final AtomicLong subscriberLosses = new AtomicLong();
    private final AtomicLong refusals = new AtomicLong();
    private volatile boolean running;

    public EdgeStream(StreamProperties properties, ProbeService probes, NanoClock clock, InstantSource wallClock) {
        this.properties = properties;
        this.probes = probes;
        this.clock = clock;
        this.wallClock = wallClock;
        log = new EventLog(properties.history());
        // Numbers of an earlier run of the agent must not pass for ours.
        run = Long.toString(wallClock.millis(), Character.MAX_RADIX);
    }

    @Override
    public void start() {
        running = true;
        probes.listen(this);
    }

    @Override
    public void stop() {
        running = false;
        log.close();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public void changed(List<Edge> edges, long lost) {
        long before = pumpLosses.getAndSet(lost);
        if (lost > before) {
            log.add("lost", lost(lost - before, "agent"));
        }
        for (Edge edge : edges) {
            Instant time = wallClock.instant().minusNanos(Math.max(0, clock.nanos() - edge.timeNanos()));
            for (int i = 0; i < FLAGS.length; i++) {
                boolean is = (edge.after() & FLAGS[i]) != 0;
                boolean was = (edge.before() & FLAGS[i]) != 0;
                if (is != was) {
                    String name = is ? NAMES[i] : "cleared";
                    log.add(name, EdgeJson.of(edge, name, NAMES[i], time));
                }
            }
        }
    }

    /**
     * Opens a stream.
     *
     * @param lastId the id of the last event that the subscriber has seen, to go on from there; null to begin now
     * @return empty when there are too many already
     */
    public Optional<Subscription> subscribe(@Nullable String lastId) {
        if (subscribers.incrementAndGet() > properties.maxSubscribers()) {
            subscribers.decrementAndGet();
            refusals.incrementAndGet();
            return Optional.empty();
        }
        long seen = sequence(lastId);
        return Optional.of(new Subscription(this, log, run, seen < 0 ? log.last() : seen, seen >= 0));
    }

    /** The number of an event of this run that has been; else -1. */
    private long sequence(@Nullable String id) {
        int dash = id == null ? -1 : id.indexOf('-');
        if (id == null || dash < 0 || !id.substring(0, dash).equals(run)) {
            return -1;
        }
        try {
            long sequence = Long.parseUnsignedLong(id, dash + 1, id.length(), 10);
            return sequence <= log.last() ? sequence : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    static String lost(long count, String where) {
        return "{\"count\":" + count + ",\"where\":\"" + where + "\"}";
    }

    Duration heartbeat() {
        return properties.heartbeat();
    }

    void ended() {
        subscribers.decrementAndGet();
    }

    void lostBySubscriber(long count) {
        subscriberLosses.addAndGet(count);
    }

    /** Streams that are open. */
    public int subscribers() {
        return subscribers.get();
    }

    /** The most that may be open. */
    public int maxSubscribers() {
        return properties.maxSubscribers();
    }

    /** Figures for the agent's metrics: totals since the start. */
    public Totals totals() {
        return new Totals(subscribers.get(), log.last(), pumpLosses.get(), subscriberLosses.get(), refusals.get());
    }

    /**
     * What the stream has done.
     *
     * @param subscribers open now
     * @param events published
     * @param pumpLosses edges that found no room between the pump and the stream
     * @param subscriberLosses events that slow subscribers missed
     * @param refusals subscribers turned away because there were too many
     */
    public record Totals(int subscribers, long events, long pumpLosses, long subscriberLosses, long refusals) {}
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import io.aether.core.score.LoadWord;
import io.aether.core.table.EndpointHealth;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * One client and a few servers in virtual time: Poisson arrivals, servers with a number of workers and a queue, lognormal
 * service times. The same seed gives the same arrivals whoever picks.
 */
final class Simulation {
    static final long MILLI = 1_000_000L;
    static final long SECOND = 1000 * MILLI;

    final List<Server> servers = new ArrayList<>();
    final Fleet fleet;
    Signals signals = Signals.APPLICATION;
    long now = 1000 * SECOND;
    private final Random arrivals;
    private final Random services;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long sequence;
    private int next;

    private record Event(long time, long order, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return time == other.time ? Long.compare(order, other.order) : Long.compare(time, other.time);
        }
    }

    /** A server; its fields may be changed by events at any time. */
    final class Server {
        final InstanceKey key;
        final int workers;
        double meanMillis;
        boolean failing;
        /** What its answers say of its load, given the requests in it. */
        IntFunction<String> word = inFlight -> "";

        int inFlight;
        long pausedUntil;
        int picks;
        BiConsumer<EndpointHealth, Long> kernel = (health, time) -> {};
        private final ArrayDeque<Runnable> queue = new ArrayDeque<>();
        private int busy;

        Server(int index, int workers, double meanMillis) {
            this.key = new InstanceKey("s", "http", "10.0.0." + index, 80);
            this.workers = workers;
            this.meanMillis = meanMillis;
        }

        /** Works on a request of this client or of another one. */
        void serve(Runnable done) {
            inFlight++;
            begin(() -> {
                inFlight--;
                done.run();
            });
        }

        private void begin(Runnable done) {
            if (failing) {
                at(now + MILLI / 5, done);
            } else if (busy < workers) {
                busy++;
                at(Math.max(now, pausedUntil) + serviceNanos(), () -> finish(done));
            } else {
                queue.add(done);
            }
        }

        private void finish(Runnable done) {
            if (now < pausedUntil) {
                at(pausedUntil, () -> finish(done)); // Stopped in the middle of it.
                return;
            }
            busy--;
            done.run();
            Runnable waiting = queue.poll();
            if (waiting != null) {
                begin(waiting);
            }
        }

        private long serviceNanos() {
            double sigma = 0.83; // A coefficient of variation of 1.
            return (long) (meanMillis * MILLI * Math.exp(sigma * services.nextGaussian() - sigma * sigma / 2));
        }
    }

    /** What a run gave. */
    record Result(int[] picks, double[] latenciesMillis, int errors) {
        double share(int server) {
            return (double) picks[server] / Arrays.stream(picks).sum();
        }

        double percentile(double p) {
            return latenciesMillis[(int) Math.min(latenciesMillis.length - 1, p * latenciesMillis.length)];
        }

        double errorRate() {
            return (double) errors / (errors + latenciesMillis.length);
        }

        @Override
        public String toString() {
            return "picks " + Arrays.toString(picks) + ", p50 " + percentile(.5) + ", p99 " + percentile(.99)
                    + " ms, errors " + errors;
        }
    }

    Simulation(int count, int workers, double meanMillis, long seed) {
        arrivals = new Random(seed);
        services = new Random(seed + 1);
        Random dice = new Random(seed + 2);
        for (int i = 0; i < count; i++) {
            servers.add(new Server(i, workers, meanMillis));
        }
        fleet = new Fleet("s", PickSettings.defaults(), () -> now, dice::nextInt, this::read);
        list(count);
    }

    /** Lets the registry list the first {@code count} servers. */
    void list(int count) {
        fleet.update(servers.stream().limit(count).map(server -> server.key).toList());
    }

    /** Other clients keep sending a server requests, which this one knows nothing of. */
    void strangers(Server server, double perSecond, double seconds) {
        long end = now + (long) (seconds * SECOND);
        long time = now;
        while (time < end) {
            time += (long) (-Math.log(1 - arrivals.nextDouble()) / perSecond * SECOND);
            at(time, () -> server.serve(() -> {}));
        }
    }

    private boolean read(Instance instance, EndpointHealth into) {
        into.reset();
        server(instance).kernel.accept(into, now);
        return into.reportTimeNanos != 0 || into.pathTimeNanos != 0;
    }

    private Server server(Instance instance) {
        return servers.stream()
                .filter(server -> server.key.equals(instance.key()))
                .findFirst()
                .orElseThrow();
    }

    void at(long time, Runnable action) {
        events.add(new Event(time, sequence++, action));
    }

    Instance pick() {
        return Objects.requireNonNull(fleet.pick(signals));
    }

    Instance roundRobin() {
        return fleet.instances().get(next++ % fleet.instances().size());
    }

    Result run(double perSecond, double seconds) {
        return run(perSecond, seconds, this::pick);
    }

    /** Sends requests for some seconds and waits for what is still to come, a minute at most. */
    Result run(double perSecond, double seconds, Supplier<Instance> picker) {
        List<Double> latencies = new ArrayList<>();
        int[] errors = new int[1];
        servers.forEach(server -> server.picks = 0);
        long end = now + (long) (seconds * SECOND);
        arrive(perSecond, end, picker, latencies, errors);
        while (!events.isEmpty() && events.element().time() < end + 60 * SECOND) {
            Event event = events.remove();
            now = Math.max(now, event.time());
            event.action().run();
        }
        now = Math.max(now, end);
        return new Result(
                servers.stream().mapToInt(server -> server.picks).toArray(),
                latencies.stream().mapToDouble(Double::doubleValue).sorted().toArray(),
                errors[0]);
    }

    private void arrive(double perSecond, long end, Supplier<Instance> picker, List<Double> latencies, int[] errors) {
        long time = now + (long) (-Math.log(1 - arrivals.nextDouble()) / perSecond * SECOND);
        if (time < end) {
            at(time, () -> {
                send(picker.get(), latencies, errors);
                arrive(perSecond, end, picker, latencies, errors);
            });
        }
    }

    private void send(Instance instance, List<Double> latencies, int[] errors) {
        Server server = server(instance);
        server.picks++;
        long start = instance.start();
        server.serve(() -> {
            if (server.failing) {
                instance.fail(start, 0);
                errors[0]++;
            } else {
                String word = server.word.apply(server.inFlight);
                if (!word.isEmpty()) {
                    instance.reported(LoadWord.read(word), 0);
                }
                instance.firstByte(start, Outcome.SUCCESS);
                latencies.add((now - start) / (double) MILLI);
            }
            instance.end();
        });
    }
}

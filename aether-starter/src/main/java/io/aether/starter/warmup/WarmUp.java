// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.warmup;

import io.aether.core.NanoClock;
import io.aether.core.pick.Instance;
import io.aether.core.pick.InstanceKey;
import io.aether.core.pick.Mode;
import io.aether.starter.balancer.ServiceFleet;
import io.aether.starter.balancer.ServiceFleets;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Warms instances up that have just started, or are back: sends each a few HEAD requests, one after the other, and lets users'
 * requests come when all were answered. The first answers of a JVM take a hundred times as long as later ones, and whether
 * somebody listens again is found out at nobody's cost.
 *
 * <p>Any answer below 500 is one: what there is at the path, and whether we may see it, does not matter. Instances that
 * speak TLS are let in at once, for which certificates their clients trust is not known here. Run again and again; never
 * blocks. Thread-safe.
 */
public final class WarmUp implements Runnable {

    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(2);
    /** A whole fleet that comes back at once is warmed up a few at a time. */
    private static final int MOST_AT_ONCE = 16;

    private final ServiceFleets fleets;
    private final NanoClock clock;
    private final int requests;
    private final String path;
    private final Set<Instance> underWay = ConcurrentHashMap.newKeySet();
    private final LongAdder answered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private volatile @Nullable HttpClient client;

    /**
     * @param requests how many are sent to an instance, at least 1
     * @param path what is asked for, beginning with a slash
     */
    public WarmUp(ServiceFleets fleets, NanoClock clock, int requests, String path) {
        this.fleets = fleets;
        this.clock = clock;
        this.requests = requests;
        this.path = path;
    }

    /** Warm-up requests that were answered. */
    public long answeredTotal() {
        return answered.sum();
    }

    /** Warm-up requests that were not, or with a server error. */
    public long failedTotal() {
        return failed.sum();
    }

    @Override
    public void run() {
        for (ServiceFleet fleet : fleets.all()) {
            if (fleet.policy().mode() == Mode.ON) {
                fleet.instances().forEach(this::warmUp);
            }
        }
    }

    private void warmUp(Instance instance) {
        if (!instance.wantsWarmUp() || underWay.size() >= MOST_AT_ONCE || !underWay.add(instance)) {
            return;
        }
        HttpRequest head = head(instance.key());
        if (head == null) {
            finish(instance, clock.nanos());
        } else {
            send(instance, head, 1, clock.nanos());
        }
    }

    private void send(Instance instance, HttpRequest head, int number, long from) {
        Future<?> unused = client().sendAsync(head, HttpResponse.BodyHandlers.discarding())
                .whenComplete((answer, failure) -> {
                    if (failure != null || answer.statusCode() >= 500) {
                        failed.increment();
                        underWay.remove(instance); // The next run tries again.
                        return;
                    }
                    answered.increment();
                    if (number < requests) {
                        send(instance, head, number + 1, from);
                    } else {
                        finish(instance, from);
                    }
                });
    }

    private void finish(Instance instance, long from) {
        instance.warmedUp(from);
        underWay.remove(instance);
    }

    /** Null when we cannot ask. */
    private @Nullable HttpRequest head(InstanceKey key) {
        if ("https".equals(key.scheme())) {
            return null;
        }
        try {
            return HttpRequest.newBuilder(new URI("http", null, key.host(), key.port(), path, null, null))
                    .method("HEAD", HttpRequest.BodyPublishers.noBody())
                    .header("User-Agent", "aether-warm-up")
                    .timeout(ANSWER_WITHIN)
                    .build();
        } catch (URISyntaxException | IllegalArgumentException e) {
            return null; // A host name that is none: users' requests will tell.
        }
    }

    /** Made when first needed: most applications never see an instance come back. */
    private synchronized HttpClient client() {
        HttpClient made = client;
        if (made == null) {
            made = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(ANSWER_WITHIN)
                    .build();
            client = made;
        }
        return made;
    }
}

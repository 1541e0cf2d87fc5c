// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.limit.Priority;
import io.aether.core.pick.Mode;
import io.aether.starter.context.ContextHeaders;
import io.aether.starter.context.IgnoredHeaders;
import io.aether.starter.context.RequestContext;
import io.aether.starter.server.ServerEntry.Revised;
import java.lang.management.ManagementFactory;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.http.server.PathContainer;

class ServerEntryTests {

    private final FakeClock clock = new FakeClock();
    private final ServerLoad load = new ServerLoad();
    private final OwnQueue queue = new OwnQueue(load, new CpuQueue(load, () -> 0, () -> 0, 2), clock);
    private final ServerGate gate = new ServerGate(load, Mode.ON, 200e6);
    private final Map<String, String> headers = new HashMap<>();
    private final Function<String, @Nullable String> header = headers::get;
    private final Supplier<PathContainer> path = () -> PathContainer.parsePath("/");
    private final ServerEntry entry = new ServerEntry(load, queue, gate, arrivals(true), () -> null, true, clock);

    private static Arrivals arrivals(boolean trusting) {
        Arrivals.Settings settings = new Arrivals.Settings(trusting, Priority.CRITICAL, 0, List.of(), List.of());
        return new Arrivals(
                settings, new HandlerPriorities(), new Users(InstantSource.system(), null), new IgnoredHeaders());
    }

    private RequestContext judged(Verdict expected) {
        RequestContext context = entry.arrive("GET", header, path);
        assertThat(entry.judge(context, (ServerRequest) context.work(), null)).isEqualTo(expected);
        return context;
    }

    /** So many milliseconds of queue. */
    private void queue(int millis) {
        if (load.workerTime().nanos() == 0) {
            load.workerTime().observe(1e6);
        }
        queue.workedBy(new Workers() {
            @Override
            public int waiting() {
                return millis;
            }

            @Override
            public int most() {
                return 1;
            }

            @Override
            public boolean judgedLate() {
                return false;
            }
        });
    }

    @Test
    void whoTurnsOutToMatterLessIsJudgedAgain() {
        queue(50);
        RequestContext context = judged(Verdict.ADMIT);
        Revised revised = entry.routed(context, Priority.BULK, 0);
        assertThat(revised).isNotNull();
        assertThat(revised.context().priority()).isEqualTo(Priority.BULK);
        assertThat(revised.verdict()).isEqualTo(Verdict.OVERLOAD);
        assertThat(entry.routed(context, Priority.CRITICAL, 0)).isNull();
        assertThat(entry.identified(context, "")).isNull();
    }

    @Test
    void whoIsObservedIsCountedOnce() {
        gate.mode(Mode.OBSERVE);
        queue(100);
        RequestContext context = judged(Verdict.ADMIT);
        Revised revised = entry.routed(context, Priority.BULK, 0);
        assertThat(revised).isNotNull();
        assertThat(revised.verdict()).isEqualTo(Verdict.ADMIT);
        assertThat(gate.refusals(Mode.OBSERVE, Verdict.OVERLOAD, Priority.CRITICAL))
                .isOne();
        assertThat(gate.refusals(Mode.OBSERVE, Verdict.OVERLOAD, Priority.BULK)).isZero();
    }

    @Test
    void pressureIsTheHighestOfOwnAndHeardAndNotToldOutsideOrWhileObserving() {
        queue(40);
        ServerRequest request = (ServerRequest) judged(Verdict.ADMIT).work();
        assertThat(entry.pressure(request)).isEqualTo("127");
        request.heard(200);
        assertThat(entry.pressure(request)).isEqualTo("200");
        assertThat(new ServerEntry(load, queue, gate, arrivals(false), () -> null, true, clock).pressure(request))
                .isNull();
        gate.mode(Mode.OBSERVE);
        assertThat(entry.pressure(request)).isNull();
    }

    @Test
    void aRequestCostsTwoSmallObjects() {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        headers.put(ContextHeaders.PRIORITY, "degraded");
        headers.put(ContextHeaders.DEADLINE, "5000");
        queue(10);
        int rounds = 20_000;
        long before = 0;
        for (int i = 0; i < 2 * rounds; i++) {
            if (i == rounds) {
                before = threads.getCurrentThreadAllocatedBytes();
            }
            RequestContext context = entry.arrive("GET", header, path);
            ServerRequest request = (ServerRequest) context.work();
            if (entry.judge(context, request, null) == Verdict.ADMIT) {
                request.begin();
                request.callBegins();
                request.callEnds();
                entry.pressure(request);
                request.end(true);
            }
        }
        long each = (threads.getCurrentThreadAllocatedBytes() - before) / rounds;
        // The context and the request: 32 and 72 bytes, and what the JIT has not removed yet of the measuring itself.
        assertThat(each).isLessThanOrEqualTo(128);
    }
}

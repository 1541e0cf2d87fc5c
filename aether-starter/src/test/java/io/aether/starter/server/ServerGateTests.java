// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.limit.Priority;
import io.aether.core.pick.Mode;
import io.aether.starter.context.RequestContext;
import io.aether.starter.context.ServerWork;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ServerGateTests {

    private static final double OBJECTIVE = 200e6; // The hard limit is 80 ms.

    private final FakeClock clock = new FakeClock();
    private final ServerLoad load = new ServerLoad();
    private final ServerGate gate = new ServerGate(load, Mode.ON, OBJECTIVE);

    private Verdict judge(RequestContext context, double waitMillis) {
        return gate.judge(context, waitMillis * 1e6, clock.nanos());
    }

    private Set<Priority> admittedAt(double waitMillis) {
        Set<Priority> admitted = EnumSet.noneOf(Priority.class);
        for (Priority priority : Priority.values()) {
            if (judge(RequestContext.NONE.withPriority(priority), waitMillis) == Verdict.ADMIT) {
                admitted.add(priority);
            }
        }
        return admitted;
    }

    private RequestContext within(double millis) {
        return RequestContext.NONE.withDeadline(clock.nanos() + (long) (millis * 1e6));
    }

    @Test
    void theLeastImportantGoFirst() {
        assertThat(admittedAt(43)).containsExactlyInAnyOrder(Priority.values());
        assertThat(admittedAt(50)).doesNotContain(Priority.BULK).hasSize(3);
        assertThat(admittedAt(60)).containsExactlyInAnyOrder(Priority.CRITICAL, Priority.DEGRADED);
        assertThat(admittedAt(70)).containsExactly(Priority.CRITICAL);
        assertThat(admittedAt(81)).isEmpty();
        assertThat(gate.refusals(Mode.ON, Verdict.OVERLOAD, Priority.BULK)).isEqualTo(4);
        assertThat(gate.refusals(Mode.ON, Verdict.OVERLOAD, Priority.CRITICAL)).isOne();
    }

    @Test
    void ofATierTheSameUsersAreRefusedEverywhere() {
        RequestContext nobody = RequestContext.NONE;
        RequestContext last = RequestContext.NONE.withUserRank(0.99f);
        ServerGate other = new ServerGate(new ServerLoad(), Mode.ON, OBJECTIVE);
        for (double wait = 70; wait < 76; wait += 0.5) {
            assertThat(judge(last, wait)).isEqualTo(judge(last, wait));
            assertThat(other.judge(last, wait * 1e6, clock.nanos())).isEqualTo(judge(last, wait));
        }
        assertThat(judge(last, 78)).isEqualTo(Verdict.OVERLOAD);
        assertThat(judge(nobody, 78)).isEqualTo(Verdict.ADMIT);
        // Even the last user of a tier is before the first of the next one.
        assertThat(judge(last, 70)).isEqualTo(Verdict.ADMIT);
        assertThat(judge(nobody.withPriority(Priority.DEGRADED), 70)).isEqualTo(Verdict.OVERLOAD);
    }

    @Test
    void whatIsTooLateIsNotBegun() {
        assertThat(judge(within(0), 0)).isEqualTo(Verdict.EXPIRED);
        assertThat(judge(within(-5), 0)).isEqualTo(Verdict.EXPIRED);
        assertThat(judge(within(10), 11)).isEqualTo(Verdict.DEADLINE);
        assertThat(judge(within(10), 9)).isEqualTo(Verdict.ADMIT);
        assertThat(gate.refusals(Mode.ON, Verdict.EXPIRED, Priority.CRITICAL)).isEqualTo(2);
        assertThat(gate.refusals(Mode.ON, Verdict.DEADLINE, Priority.CRITICAL)).isOne();
        assertThat(Verdict.EXPIRED.status()).isEqualTo(504);
        assertThat(Verdict.DEADLINE.status()).isEqualTo(503);
    }

    @Test
    void observingCountsAndLetsIn() {
        gate.mode(Mode.OBSERVE);
        assertThat(judge(RequestContext.NONE, 500)).isEqualTo(Verdict.ADMIT);
        assertThat(judge(within(-1), 0)).isEqualTo(Verdict.ADMIT);
        assertThat(gate.refusals(Mode.OBSERVE, Verdict.OVERLOAD, Priority.CRITICAL))
                .isOne();
        assertThat(gate.refusals(Mode.OBSERVE, Verdict.EXPIRED, Priority.CRITICAL))
                .isOne();
        assertThat(gate.refusals(Mode.ON, Verdict.OVERLOAD, Priority.CRITICAL)).isZero();
    }

    @Test
    void offJudgesNothing() {
        gate.mode(Mode.OFF);
        assertThat(judge(RequestContext.NONE, 500)).isEqualTo(Verdict.ADMIT);
        assertThat(gate.refusals(Mode.OBSERVE, Verdict.OVERLOAD, Priority.CRITICAL))
                .isZero();
    }

    @Test
    void theLeastImportantFeelPressureFirst() {
        assertThat(gate.pressure(40e6, Priority.CRITICAL)).isEqualTo(127);
        assertThat(gate.pressure(40e6, Priority.BULK)).isEqualTo(231);
        assertThat(gate.pressure(44e6, Priority.BULK)).isEqualTo(255);
        assertThat(gate.pressure(40e6)).isEqualTo(127);
    }

    @Test
    void waitsThatAreNoNumbersRefuseNobody() {
        assertThat(judge(within(10), Double.NaN)).isEqualTo(Verdict.ADMIT);
        assertThat(gate.pressure(Double.NaN)).isZero();
        assertThat(gate.retryAfterSeconds(Double.NaN)).isOne();
    }

    @Test
    void withoutAnObjectiveOneIsGuessedFromTheServiceTime() {
        ServerGate guessing = new ServerGate(load, Mode.ON, 0);
        guessing.tick();
        assertThat(guessing.hardLimitNanos()).isEqualTo(0.4e9);
        for (int i = 0; i <= ServerLoad.COLD; i++) {
            answer(300);
        }
        guessing.tick();
        assertThat(guessing.hardLimitNanos()).isEqualTo(1.2e9);
        for (int i = 0; i < 1000; i++) {
            answer(60_000);
        }
        guessing.tick();
        assertThat(guessing.hardLimitNanos()).isEqualTo(4e9);
        gate.tick();
        assertThat(gate.hardLimitNanos()).isEqualTo(80e6);
    }

    private void answer(double millis) {
        ServerRequest request = new ServerRequest(load, clock);
        request.begin();
        clock.pass(millis);
        request.end(true);
    }

    @Test
    void pressureIsTheShareOfTheLimit() {
        assertThat(gate.pressure(0)).isZero();
        assertThat(gate.pressure(40e6)).isEqualTo(127);
        assertThat(gate.pressure(80e6)).isEqualTo(ServerWork.MOST_PRESSURE);
        assertThat(gate.pressure(9e9)).isEqualTo(ServerWork.MOST_PRESSURE);
    }

    @Test
    void retryingTakesWholeSeconds() {
        assertThat(gate.retryAfterSeconds(81e6)).isOne();
        assertThat(gate.retryAfterSeconds(3.1e9)).isEqualTo(4);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload.gate;

import com.alibaba.csp.sentinel.AsyncEntry;
import com.alibaba.csp.sentinel.EntryType;
import com.alibaba.csp.sentinel.SphU;
import com.alibaba.csp.sentinel.Tracer;
import com.alibaba.csp.sentinel.slots.block.BlockException;
import com.alibaba.csp.sentinel.slots.block.RuleConstant;
import com.alibaba.csp.sentinel.slots.block.degrade.DegradeRule;
import com.alibaba.csp.sentinel.slots.block.degrade.DegradeRuleManager;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Sentinel's circuit breaker: open for a second, its shortest time, after a second in which half was refused. */
final class BreakerGate implements Gate {
    private static final AtomicInteger COUNT = new AtomicInteger();

    @SuppressWarnings("StaticAssignmentOfThrowable") // never thrown, only counted
    private static final IllegalStateException REFUSED = new IllegalStateException("refused");

    /** Never used before: Sentinel remembers its resources. */
    private final String resource = "service-" + COUNT.incrementAndGet();

    BreakerGate() {
        DegradeRule rule = new DegradeRule(resource)
                .setGrade(RuleConstant.DEGRADE_GRADE_EXCEPTION_RATIO)
                .setCount(0.5)
                .setStatIntervalMs(1000)
                .setTimeWindow(1);
        DegradeRuleManager.setRulesForResource(resource, Set.of(rule));
    }

    @Override
    public @Nullable Pass ask() {
        try {
            return pass(SphU.asyncEntry(resource, EntryType.OUT));
        } catch (BlockException e) {
            return null;
        }
    }

    private static Pass pass(AsyncEntry entry) {
        return new Pass() {
            @Override
            public void answered() {
                entry.exit();
            }

            @Override
            public void refused() {
                Tracer.traceEntry(REFUSED, entry);
                entry.exit();
            }
        };
    }
}

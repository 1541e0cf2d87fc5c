// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload.server;

import com.alibaba.csp.sentinel.AsyncEntry;
import com.alibaba.csp.sentinel.EntryType;
import com.alibaba.csp.sentinel.SphU;
import com.alibaba.csp.sentinel.slots.block.BlockException;
import com.alibaba.csp.sentinel.slots.system.SystemRule;
import com.alibaba.csp.sentinel.slots.system.SystemRuleManager;
import io.aether.bench.overload.Policy;
import io.aether.bench.overload.Target;
import io.aether.core.limit.Admission;
import io.aether.core.limit.Priority;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whom the server lets in. */
interface Door {
    /** A request comes that would wait for so long: its way out, or null when it is refused. */
    @Nullable
    Runnable arrive(double waitNanos);

    static Door of(Policy policy) {
        return switch (policy) {
            case NONE -> wait -> () -> {};
            case SENTINEL_BBR -> sentinel();
            default -> admission();
        };
    }

    private static Door admission() {
        Admission admission = Admission.of(Target.OBJECTIVE_NANOS);
        return wait -> admission.arrive(Priority.CRITICAL, wait, Admission.NO_DEADLINE, System.nanoTime())
                        == Admission.Verdict.ADMIT
                ? () -> {}
                : null;
    }

    /**
     * Sentinel's adaptive guard of a whole server: while the machine's load is above a threshold, here always, no more
     * requests at a time than the most answers of a second times the shortest answer.
     */
    private static Door sentinel() {
        SystemRule rule = new SystemRule();
        rule.setHighestSystemLoad(0);
        SystemRuleManager.loadRules(List.of(rule));
        return wait -> {
            try {
                AsyncEntry entry = SphU.asyncEntry("service", EntryType.IN);
                return entry::exit;
            } catch (BlockException e) {
                return null;
            }
        };
    }
}

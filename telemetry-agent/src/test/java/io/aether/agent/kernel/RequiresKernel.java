// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips a test class, with the reason printed, where kernel programs cannot be loaded at all. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RequiresKernel.Condition.class)
@interface RequiresKernel {

    /** See {@link KernelTests#missing()}. */
    final class Condition implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            String missing = KernelTests.missing();
            if (missing.isEmpty()) {
                return ConditionEvaluationResult.enabled("kernel programs can be loaded");
            }
            System.out.println("skipped " + context.getDisplayName() + ": " + missing);
            return ConditionEvaluationResult.disabled(missing);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.stack;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips a test class, with the reason printed, where containers cannot be run. Where {@code -Daether.docker.required=true}
 * says that they must be, as in CI, the lack of something is a failure.
 */
@Tag("docker")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RequiresEngine.Condition.class)
@interface RequiresEngine {

    /** Asks the machine. */
    final class Condition implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            String missing = Engine.missing();
            if (missing.isEmpty()) {
                return ConditionEvaluationResult.enabled("containers can be run");
            }
            if (Boolean.getBoolean("aether.docker.required")) {
                throw new IllegalStateException("tests with containers are required but cannot run: " + missing);
            }
            System.out.println("skipped " + context.getDisplayName() + ": " + missing);
            return ConditionEvaluationResult.disabled(missing);
        }
    }
}

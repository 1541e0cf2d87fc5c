// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips a test class, with the reason printed, where kernel programs cannot be loaded at all. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RequiresKernel.Condition.class)
@interface RequiresKernel {

    /** Looks for Linux, root, type information and the two tools. */
    final class Condition implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            String missing = missing();
            if (missing.isEmpty()) {
                return ConditionEvaluationResult.enabled("kernel programs can be loaded");
            }
            System.out.println("skipped " + context.getDisplayName() + ": " + missing);
            return ConditionEvaluationResult.disabled(missing);
        }

        private static String missing() {
            if (!System.getProperty("os.name").equals("Linux")) {
                return "needs Linux";
            }
            if (!root()) {
                return "needs root";
            }
            if (!Files.exists(Path.of("/sys/kernel/btf/vmlinux"))) {
                return "needs a kernel with type information (/sys/kernel/btf/vmlinux)";
            }
            try {
                Shell.run("ip", "-V");
                Shell.run("tc", "-V");
                return "";
            } catch (IllegalStateException e) {
                return "needs ip and tc (package iproute2)";
            }
        }

        private static boolean root() {
            try {
                return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
            } catch (IOException e) {
                return false;
            }
        }
    }
}

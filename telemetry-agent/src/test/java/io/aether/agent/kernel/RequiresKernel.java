// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import io.aether.agent.cgroup.CgroupFinder;
import io.aether.agent.cgroup.CgroupNotFoundException;
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

    /**
     * Where {@code -Daether.kernel.required=true} says that kernel programs must be tried, as in CI, the lack of something is
     * a failure.
     */
    final class Condition implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            String missing = missing();
            if (!missing.isEmpty() && Boolean.getBoolean("aether.kernel.required")) {
                throw new IllegalStateException("kernel tests are required but cannot run: " + missing);
            }
            if (missing.isEmpty()) {
                return ConditionEvaluationResult.enabled("kernel programs can be loaded");
            }
            System.out.println("skipped " + context.getDisplayName() + ": " + missing);
            return ConditionEvaluationResult.disabled(missing);
        }

        private static String missing() {
            if (!System.getProperty("os.name", "").equals("Linux")) {
                return "they need Linux";
            }
            if (!"root".equals(System.getProperty("user.name"))) {
                return "they need root";
            }
            if (!Files.isReadable(Path.of("/sys/kernel/btf/vmlinux"))) {
                return "they need a kernel with BTF (/sys/kernel/btf/vmlinux)";
            }
            try {
                Shell.run("ip", "-V");
                Shell.run("tc", "-V");
                new CgroupFinder(Path.of("/")).find(null);
                return "";
            } catch (IllegalStateException e) {
                return "they need ip and tc (package iproute2)";
            } catch (CgroupNotFoundException e) {
                return "they need a mounted cgroup2 tree";
            }
        }
    }
}

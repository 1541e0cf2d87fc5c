// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.diagnostics;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Prints a wrong setting instead of the stack of beans that could not be made. */
final class WrongSettingFailureAnalyzer extends AbstractFailureAnalyzer<WrongSettingException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, WrongSettingException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Correct the setting. Aether's documentation of its configuration lists what it may be.",
                cause);
    }
}

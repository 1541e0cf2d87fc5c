// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.probe;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what to do about a second agent, in place of a stack trace. */
class TableInUseFailureAnalyzer extends AbstractFailureAnalyzer<TableInUseException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, TableInUseException cause) {
        return new FailureAnalysis(
                "The agent was not started: " + cause.getMessage() + ".",
                "Stop the other agent, or give this one a table of its own: --aether.agent.table-path=PATH.",
                cause);
    }
}

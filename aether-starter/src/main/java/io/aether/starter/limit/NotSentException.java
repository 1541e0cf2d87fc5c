// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/**
 * A call that was not sent, and so says nothing of any instance. It carries no stack trace: under overload there are many, all
 * from the same place.
 */
public abstract sealed class NotSentException extends ResponseStatusException
        permits BranchLimitedException, DeadlinePassedException {
    private final String branch;

    NotSentException(HttpStatus status, String reason, String branch) {
        super(status, reason);
        this.branch = branch;
    }

    /** Name of the branch's limiter. */
    public String branch() {
        return branch;
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}

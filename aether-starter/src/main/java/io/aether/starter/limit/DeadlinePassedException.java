// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/**
 * A call that was not sent, because the deadline of the request that needs it has passed: nobody waits for the answer. No
 * instance failed. Unhandled, Spring answers with 504. It carries no stack trace, as late requests come in crowds.
 */
public final class DeadlinePassedException extends ResponseStatusException {
    private final String branch;

    /**
     * @param branch the limiter's name
     */
    public DeadlinePassedException(String branch) {
        super(HttpStatus.GATEWAY_TIMEOUT, "the deadline passed before the call to " + branch);
        this.branch = branch;
    }

    public String branch() {
        return branch;
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}

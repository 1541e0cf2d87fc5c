// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import org.springframework.http.HttpStatus;

/**
 * A call that was not sent because the deadline of the request that needs it has passed: nobody waits for the answer. Unhandled,
 * Spring answers with 504.
 */
public final class DeadlinePassedException extends NotSentException {

    /** For a call to {@code branch}, the limiter's name. */
    public DeadlinePassedException(String branch) {
        super(HttpStatus.GATEWAY_TIMEOUT, "the deadline passed before the call to " + branch, branch);
    }
}

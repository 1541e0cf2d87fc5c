// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.guard;

/** The guard does not run, so its lists cannot be changed; the message says why and what to do. */
public final class GuardOffException extends Exception {
    private static final long serialVersionUID = 1L;

    GuardOffException(String message) {
        super(message);
    }
}

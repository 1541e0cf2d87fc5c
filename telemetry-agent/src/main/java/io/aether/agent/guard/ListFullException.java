// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.guard;

/** A list has no room for what was to be entered; nothing was. */
public final class ListFullException extends Exception {
    private static final long serialVersionUID = 1L;

    ListFullException(String message) {
        super(message);
    }
}

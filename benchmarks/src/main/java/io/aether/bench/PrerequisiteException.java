// SPDX-License-Identifier: Apache-2.0
package io.aether.bench;

/** The machine lacks something that is needed; the message names it and the fix. */
public final class PrerequisiteException extends Exception {

    private static final long serialVersionUID = 1;

    public PrerequisiteException(String message) {
        super(message);
    }
}

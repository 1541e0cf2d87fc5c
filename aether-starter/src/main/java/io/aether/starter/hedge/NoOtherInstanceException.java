// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.hedge;

/** A second attempt found no instance but that of the first. Never reaches the caller: the first goes on. */
public final class NoOtherInstanceException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Creates it without a stack trace, which nobody would see. */
    public NoOtherInstanceException() {
        super("no instance but that of the first attempt", null, false, false);
    }
}

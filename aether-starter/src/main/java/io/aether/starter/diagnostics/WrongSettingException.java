// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.diagnostics;

/** A setting that passed its binding and makes no sense all the same. Its message names the setting and what is wrong. */
public final class WrongSettingException extends IllegalArgumentException {

    /** Creates it; {@code message} begins with the setting's name. */
    public WrongSettingException(String message, Throwable cause) {
        super(message, cause);
    }
}

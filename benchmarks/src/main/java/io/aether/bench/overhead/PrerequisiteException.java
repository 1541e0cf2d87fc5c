// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overhead;

import java.io.IOException;

/** Something outside is missing; the message names it and the fix. */
final class PrerequisiteException extends IOException {
    private static final long serialVersionUID = 1L;

    PrerequisiteException(String message) {
        super(message);
    }
}

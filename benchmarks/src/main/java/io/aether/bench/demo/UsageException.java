// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

/** The command line is wrong; the message says where. */
public final class UsageException extends Exception {

    private static final long serialVersionUID = 1;

    public UsageException(String message) {
        super(message);
    }
}

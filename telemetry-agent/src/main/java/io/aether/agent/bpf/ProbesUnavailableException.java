// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

/** The table or the native library cannot be used here; the agent goes on without them. */
public final class ProbesUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String reason;
    private final String fix;

    /**
     * @param reason what is wrong, naming the thing
     * @param fix what the operator can do about it; empty when there is nothing
     */
    public ProbesUnavailableException(String reason, String fix) {
        super(fix.isEmpty() ? reason : reason + " (" + fix + ")");
        this.reason = reason;
        this.fix = fix;
    }

    ProbesUnavailableException(String reason, String fix, Throwable cause) {
        this(reason, fix);
        initCause(cause);
    }

    public String reason() {
        return reason;
    }

    public String fix() {
        return fix;
    }
}

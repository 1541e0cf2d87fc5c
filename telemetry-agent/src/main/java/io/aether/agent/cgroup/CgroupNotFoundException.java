// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.cgroup;

/** No cgroup v2 directory to watch; the message names what was looked at, {@link #fix()} what to do. */
public class CgroupNotFoundException extends Exception {
    private static final long serialVersionUID = 1;

    private final String fix;

    CgroupNotFoundException(String message, String fix) {
        super(message);
        this.fix = fix;
    }

    /** What an operator can do about it, as one sentence. */
    public String fix() {
        return fix;
    }
}

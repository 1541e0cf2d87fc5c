// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.context;

import java.util.concurrent.atomic.LongAdder;

/** Counts context headers that were not believed. Thread-safe. */
public final class IgnoredHeaders {

    /** Why. */
    public enum Reason {
        /** No value that there could be. */
        MALFORMED,
        /** From somebody who has no say in it. */
        UNTRUSTED
    }

    private final LongAdder malformed = new LongAdder();
    private final LongAdder untrusted = new LongAdder();

    void count(Reason reason) {
        of(reason).increment();
    }

    /** One header of somebody who has no say in it was left out. */
    public void untrusted() {
        count(Reason.UNTRUSTED);
    }

    /** How many since the start. */
    public long total(Reason reason) {
        return of(reason).sum();
    }

    private LongAdder of(Reason reason) {
        return reason == Reason.MALFORMED ? malformed : untrusted;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.core.limit;

import java.util.concurrent.atomic.LongAdder;

/** What came and went at a branch since it was made. Counting is thread-safe and lock-free; {@link #since} is for one thread. */
final class BranchCounts {
    private static final double PRESSED = 1000;

    final LongAdder sent = new LongAdder();
    final LongAdder heldBack = new LongAdder();
    final LongAdder answers = new LongAdder();
    final LongAdder refusals = new LongAdder();
    final LongAdder losses = new LongAdder();
    final LongAdder marked = new LongAdder();
    final LongAdder clean = new LongAdder();
    /** Answers times what their word of pressure is worth, in thousandths. */
    private final LongAdder pressed = new LongAdder();
    /** Answers that told of pressure at all. */
    private final LongAdder words = new LongAdder();

    private long pressedSeen;

    private final Window seen = new Window();

    /** Counts an answer's word of pressure, which is worth so many marks, see {@link Pressure#mark}. */
    void word(double mark) {
        words.increment();
        if (mark > 0) {
            pressed.add(Math.round(mark * PRESSED));
        }
    }

    /** Puts what came since the last call into {@code window}. */
    void since(Window window) {
        window.marked = marked.sum() - seen.marked;
        window.clean = clean.sum() - seen.clean;
        window.refused = refusals.sum() - seen.refused;
        window.answers = answers.sum() - seen.answers;
        window.words = words.sum() - seen.words;
        long press = pressed.sum();
        window.pressed = (press - pressedSeen) / PRESSED;
        pressedSeen = press;
        window.sent = sent.sum() - seen.sent;
        window.heldBack = heldBack.sum() - seen.heldBack;
        seen.add(window);
        window.inFlight = inFlight() > 0;
    }

    /** Requests that were sent and whose end was not reported. */
    long inFlight() {
        return Math.max(0, sent.sum() - answers.sum() - refusals.sum() - losses.sum());
    }
}

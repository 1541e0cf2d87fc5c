// SPDX-License-Identifier: Apache-2.0
package io.aether.core.limit;

/** What happened in one window of a branch. A mutable carrier that is reused; not thread-safe. */
public final class Window {
    /** Length in seconds. */
    public double seconds;
    /** Packets of answers with CE, and ECN-capable ones without, weighted by segments. */
    public double marked;

    public double clean;
    /** Answers that refused for overload (503, 429), and all others. */
    public double refused;

    public double answers;
    /** Answers, each as much as its word of the server's pressure would have been marked; counts only without packets' marks. */
    public double pressed;
    /** Answers that told of pressure at all. */
    public double words;
    /** Requests let through, and those held back here. */
    public double sent;

    public double heldBack;
    /** Whether requests are on their way at the window's end. */
    public boolean inFlight;

    boolean heard() {
        return marked + clean + refused + answers > 0;
    }

    /** Adds another's counts. */
    void add(Window other) {
        marked += other.marked;
        clean += other.clean;
        refused += other.refused;
        answers += other.answers;
        words += other.words;
        sent += other.sent;
        heldBack += other.heldBack;
    }

    /** Zeroes all. */
    public void clear() {
        seconds = 0;
        marked = 0;
        clean = 0;
        refused = 0;
        answers = 0;
        pressed = 0;
        words = 0;
        sent = 0;
        heldBack = 0;
        inFlight = false;
    }
}

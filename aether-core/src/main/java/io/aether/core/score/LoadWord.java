// SPDX-License-Identifier: Apache-2.0
package io.aether.core.score;

/**
 * What a server says of its load in the header {@value #HEADER} of an answer: requests in flight in it when it answered, without
 * the one that is answered, and the mean time that its latest answers took it, in microseconds: {@code 12 9500}.
 *
 * <p>It comes from the outside: whatever is not two numbers that can be true is void. Pure; reading allocates nothing.
 */
public final class LoadWord {
    public static final String HEADER = "X-Aether-Load";

    /** No word, or none that makes sense. */
    public static final long VOID = -1;

    static final int MOST_IN_FLIGHT = 1_000_000;
    static final long MOST_MICROS = 3_600_000_000L;

    private static final int SHIFT = 32;
    private static final double NANOS_PER_MICRO = 1000;

    private LoadWord() {}

    /**
     * The header's value.
     *
     * @param inFlight requests in flight; less than none counts as none
     * @param nanos what an answer takes, 0 while unknown
     */
    public static String write(int inFlight, double nanos) {
        int present = Math.max(0, Math.min(inFlight, MOST_IN_FLIGHT));
        long micros = Math.round(Math.max(0, Math.min(nanos / NANOS_PER_MICRO, MOST_MICROS)));
        return present + " " + micros;
    }

    /** Reads a header, for the methods below; {@link #VOID} when it makes no sense. */
    public static long read(String header) {
        int space = header.indexOf(' ');
        long present = number(header, 0, space, MOST_IN_FLIGHT);
        long micros = number(header, space + 1, header.length(), MOST_MICROS);
        return present < 0 || micros < 0 ? VOID : present << SHIFT | micros;
    }

    /** Requests in flight. */
    public static int inFlight(long word) {
        return (int) (word >>> SHIFT);
    }

    /** What an answer takes, in ns; 0 while unknown. */
    public static double nanos(long word) {
        return (word & 0xffffffffL) * NANOS_PER_MICRO;
    }

    /** Digits only, ten at most; -1 for anything else. */
    private static long number(String text, int from, int to, long most) {
        long number = from < to && to - from <= 10 ? 0 : -1;
        for (int i = from; i < to && number >= 0; i++) {
            int digit = text.charAt(i) - '0';
            number = digit >= 0 && digit <= 9 ? number * 10 + digit : -1;
        }
        return number <= most ? number : -1;
    }
}

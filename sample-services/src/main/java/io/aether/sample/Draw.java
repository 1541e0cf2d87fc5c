// SPDX-License-Identifier: Apache-2.0
package io.aether.sample;

import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Where the service times of one request come from. A request that names a draw, and every call it makes, takes the same
 * time whenever it is made again: common random numbers, which let two ways of balancing be compared request by request.
 *
 * @param seed any number
 */
record Draw(long seed) {

    static final String HEADER = "x-draw";

    /** The draw that a request names; one by chance when it names none, or something that is no number. */
    static Draw named(@Nullable String header) {
        if (header != null) {
            try {
                return new Draw(Long.parseLong(header));
            } catch (NumberFormatException e) {
                // As if it were not there.
            }
        }
        return new Draw(ThreadLocalRandom.current().nextLong());
    }

    /** The draw of a call that this request makes, by the call's place among all of them. */
    Draw of(int position) {
        return new Draw(new SplittableRandom(seed + position).nextLong());
    }

    RandomGenerator random() {
        return new SplittableRandom(seed);
    }

    String value() {
        return Long.toString(seed);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.dag;

import java.util.Comparator;
import java.util.List;

/**
 * What happened in a block.
 *
 * @param answers what became of every request, by intended start
 * @param calls calls that were done meanwhile, for whatever request
 * @param marks segments that the kernel marked meanwhile on the answers of the overloaded process
 */
record Block(Limits limits, Phases phases, List<Answer> answers, long calls, long marks) {

    Block {
        answers = answers.stream()
                .sorted(Comparator.comparingDouble(Answer::second))
                .toList();
    }

    /** Calls done for requests that failed all the same. */
    long wasted() {
        long needed = answers.stream()
                .filter(Answer::good)
                .mapToLong(answer -> answer.flow().calls())
                .sum();
        return Math.max(0, calls - needed);
    }
}

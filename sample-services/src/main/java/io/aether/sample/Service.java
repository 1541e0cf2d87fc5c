// SPDX-License-Identifier: Apache-2.0
package io.aether.sample;

import java.util.List;

/**
 * One service of the checkout graph: what it does itself, how large its answer is, and whom it calls.
 *
 * @param id name in discovery and in the request path
 * @param time own work, before any call
 * @param bytes size of the answer's body
 * @param stages calls, stage after stage; those of one stage run in parallel
 */
public record Service(String id, ServiceTime time, int bytes, List<Stage> stages) {

    public Service {
        stages = List.copyOf(stages);
    }

    /** Number of calls that one request to this service makes itself, optional ones included. */
    public int calls() {
        return stages.stream().mapToInt(stage -> stage.calls().size()).sum();
    }

    /**
     * Calls that run in parallel.
     *
     * @param calls ids of the called services, one entry a call
     * @param optional whether the answer neither waits for these calls nor depends on their outcome
     */
    public record Stage(List<String> calls, boolean optional) {

        public Stage {
            calls = List.copyOf(calls);
        }
    }
}

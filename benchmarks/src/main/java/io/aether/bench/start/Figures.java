// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.start;

/**
 * Of one start.
 *
 * @param start from the start of the process until it answered its first request, ms
 * @param cpu time on processors until then, ms
 * @param call the first call through its balancer, ms
 * @param heap live objects after that, in MB of 10^6 bytes, as all that follows but one
 * @param metaspace what is known of its classes
 * @param resident its memory that is not swapped or mapped only
 * @param classes that it has loaded
 */
record Figures(double start, double cpu, double call, double heap, double metaspace, double resident, double classes) {

    /** What its data and its classes take, MB. */
    double memory() {
        return heap + metaspace;
    }
}

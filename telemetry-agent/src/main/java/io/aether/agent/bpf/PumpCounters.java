// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import java.util.List;

/**
 * The pump's and the programs' own figures, totals since the start.
 *
 * @param ticks ticks done, one every 10 ms
 * @param lateTicks ticks that came more than one period late
 * @param edges records taken from the rings
 * @param batchErrors failed reads of whole maps
 * @param ringLosses records that found no room; the next tick makes up for them
 * @param mapErrors entries that found no room in a map
 * @param lastEventNanos time of the latest event in the kernel, CLOCK_MONOTONIC ns; 0 if there was none
 * @param usedSlots live endpoints in the table
 * @param refusedSlots times that an endpoint found no slot
 * @param heartbeatNanos the table's heartbeat, CLOCK_MONOTONIC ns
 * @param malformedOptions health options, or lists of options, that made no sense and were ignored
 * @param droppedEdges records of the rings that made no sense to the pump
 * @param unmatchedAnswers answers inside TLS whose connection is not known, and which are counted nowhere else
 * @param libraries TLS libraries attached to now: files, not processes
 * @param jvms watched Java processes now; 0 without the tls probe
 * @param libraryFailures libraries that could not be attached to
 * @param applications files of applications that are read
 * @param refusedApplications such files that were not, because they made no sense or nobody is known to write them
 * @param scrubbedInterfaces interfaces where marks end
 * @param scrubFailures interfaces that could not be attached to for it
 * @param programs figures of each loaded program
 */
public record PumpCounters(
        long ticks,
        long lateTicks,
        long edges,
        long batchErrors,
        long ringLosses,
        long mapErrors,
        long lastEventNanos,
        long usedSlots,
        long refusedSlots,
        long heartbeatNanos,
        long malformedOptions,
        long droppedEdges,
        long unmatchedAnswers,
        long libraries,
        long jvms,
        long libraryFailures,
        long applications,
        long refusedApplications,
        long scrubbedInterfaces,
        long scrubFailures,
        List<ProgramStats> programs) {

    public PumpCounters {
        programs = List.copyOf(programs);
    }

    static PumpCounters of(long[] n, List<ProgramStats> programs) {
        return new PumpCounters(
                n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11], n[12], n[13], n[14], n[15],
                n[16], n[17], n[18], n[19], programs);
    }
}

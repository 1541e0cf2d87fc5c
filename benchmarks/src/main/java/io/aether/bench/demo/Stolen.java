// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import io.aether.bench.ProcessorTime;
import java.io.IOException;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How much of the processors a hypervisor gave to other machines: what no arm is to blame for. Used by one thread. */
final class Stolen {
    private final ProcessorTime begin;
    private ProcessorTime before;
    private Schedule.@Nullable Block block;
    private double most;
    private String mostIn = "";

    Stolen() throws IOException {
        begin = ProcessorTime.now();
        before = begin;
    }

    /** Told often which block is played. */
    void follow(Schedule.@Nullable Block now) throws IOException {
        Schedule.Block last = block;
        if (Objects.equals(last, now)) {
            return;
        }
        ProcessorTime time = ProcessorTime.now();
        double share = time.stolenSince(before);
        if (last != null && share > most) {
            most = share;
            mostIn = last.arm().label();
        }
        before = time;
        block = now;
    }

    /** All of it so far, and the worst block. */
    String line() throws IOException {
        return String.format(
                Locale.ROOT,
                "other machines on this host took %.1f %% of the processors, %.1f %% in the worst block (%s)",
                100 * ProcessorTime.now().stolenSince(begin),
                100 * most,
                mostIn.isEmpty() ? "none" : mostIn);
    }
}

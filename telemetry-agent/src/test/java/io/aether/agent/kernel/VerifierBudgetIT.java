// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.agent.bpf.ControlSettings;
import io.aether.agent.bpf.GuardSettings;
import io.aether.agent.bpf.KernelGuard;
import io.aether.agent.bpf.ProgramStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What each program costs the verifier stays within its recorded budget, and every program has one. */
@RequiresKernel
@ExtendWith(SharedWatch.class)
class VerifierBudgetIT {
    private static final Path BUDGETS = Path.of("../bpf/verifier-budgets");

    @Test
    void staysWithinTheRecordedBudget(Watch watch) throws IOException {
        Map<String, Long> budgets = budgets();
        Map<String, Long> over = new TreeMap<>();
        List<ProgramStats> programs = new ArrayList<>(watch.probes().counters().programs());
        try (Watch controlling = new Watch(
                Area.directory(),
                settings -> settings.withProbes(false, false, false).withControl(ControlSettings.on()))) {
            programs.addAll(controlling.probes().counters().programs());
        }
        for (ProgramStats program : programs) {
            // Kernels before 5.16 tell nothing.
            String name = program.probe() + "/" + program.name();
            if (program.verifiedInstructions() > budgets.getOrDefault(name, 0L)) {
                over.put(name, program.verifiedInstructions());
            }
        }
        assertThat(programs).isNotEmpty();
        assertThat(over)
                .as("instructions the verifier walked, over or without a budget in bpf/verifier-budgets")
                .isEmpty();
    }

    @Test
    void guardStaysWithinItsBudget() throws IOException {
        GuardSettings settings = new GuardSettings(List.of(), true, List.of(), 1, 1, 1024, 1024, 1000);
        try (KernelGuard guard = KernelGuard.open(settings)) {
            assertThat(guard.programId()).isPositive();
            assertThat(guard.verifiedInstructions())
                    .isLessThanOrEqualTo(budgets().get("guard/aether_guard"));
        }
    }

    private static Map<String, Long> budgets() throws IOException {
        Map<String, Long> budgets = new TreeMap<>();
        for (String line : Files.readAllLines(BUDGETS)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] words = line.trim().split("\\s+");
                budgets.put(words[0], Long.parseLong(words[1]));
            }
        }
        return budgets;
    }
}

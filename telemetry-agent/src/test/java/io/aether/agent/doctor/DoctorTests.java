// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aether.agent.bpf.KernelInspection.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The doctor over machines that are only files. */
class DoctorTests {
    private static final Capabilities ROOT = new Capabilities(-1);

    @TempDir
    Path root;

    private void file(String absolute, String text) throws IOException {
        Path path = root.resolve(absolute.substring(1));
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    @Test
    void judgesTheKernelByItsVersion() throws IOException {
        assertThat(version("4.19.0-27-amd64")).isEqualTo(Check.Level.PROBLEM);
        assertThat(version("5.10.0")).isEqualTo(Check.Level.NOTE);
        assertThat(version("5.15.0-generic")).isEqualTo(Check.Level.NOTE);
        assertThat(version("6.12.1")).isEqualTo(Check.Level.OK);
        assertThat(version("10.1.0")).isEqualTo(Check.Level.OK);
        assertThat(version("")).isEqualTo(Check.Level.PROBLEM);
    }

    private Check.Level version(String release) throws IOException {
        file("/proc/sys/kernel/osrelease", release + "\n");
        return KernelChecks.checks(new Host(root)).get(0).level();
    }

    @Test
    void namesTheCapabilitiesThatAreLacking() throws IOException {
        file("/proc/self/status", "Name:\tjava\nCapEff:\t0000008000000000\n");

        Capabilities capabilities = Capabilities.of(new Host(root));

        assertThat(capabilities.lacking()).containsExactly("CAP_PERFMON", "CAP_NET_ADMIN");
        assertThat(capabilities.checks().get(0).level()).isEqualTo(Check.Level.PROBLEM);
        assertThat(ROOT.lacking()).isEmpty();
        assertThat(new Capabilities(1L << 21).lacking()).isEmpty();
    }

    @Test
    void tellsHybridFromPureHierarchies() throws IOException {
        String v1 = "30 25 0:26 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n";
        String v2 = "31 25 0:27 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";

        assertThat(layout(v1 + v2)).startsWith("hybrid");
        assertThat(layout(v2)).isEqualTo("version 2");
        assertThat(layout(v1)).isEqualTo("version 1 only");
        assertThat(layout("")).isEqualTo("none mounted");
    }

    private String layout(String mounts) throws IOException {
        file("/proc/self/mountinfo", mounts);
        return new CgroupChecks(new Host(root), null).checks().get(0).value();
    }

    @Test
    void aMissingHookIsAProblemOnlyWhereSomethingNeedsIt() {
        List<Check> checks = HookChecks.checks(List.of(
                new Finding("hook", "tp_btf", "unsupported", "No such file or directory"),
                new Finding("hook", "uprobe_multi", "unsupported", "Invalid argument"),
                new Finding("hook", "sockops", "denied", "Operation not permitted"),
                new Finding("hook", "xdp", "available", "")));

        assertThat(checks)
                .extracting(Check::level)
                .containsExactly(Check.Level.PROBLEM, Check.Level.NOTE, Check.Level.NOTE, Check.Level.OK);
    }

    @Test
    void onlyAProgramThatHoldsAHookAloneIsInTheWay() {
        List<Check> checks = ForeignChecks.checks(
                List.of(
                        new Finding("cgroup", "sockops", "alone", "theirs (program 7) on /cg"),
                        new Finding("cgroup", "sockops", "shared", "others (program 8) on /cg"),
                        new Finding("cgroup", "cgroup_skb/egress", "alone", "firewall (program 9) on /cg"),
                        new Finding("xdp", "eth0", "native", "aether_guard (program 10)"),
                        new Finding("xdp", "eth1", "generic", "theirs (program 11)")),
                ROOT);

        assertThat(checks)
                .extracting(Check::level)
                .containsExactly(
                        Check.Level.PROBLEM, Check.Level.OK, Check.Level.NOTE, Check.Level.OK, Check.Level.NOTE);
    }

    @Test
    void printsWhatToDo() {
        List<Check> checks = List.of(Check.ok("a", "fine", "yes"), Check.problem("b", "broken", "no", "mend it"));

        assertThat(Report.table(checks))
                .containsSubsequence("a\n", "fine", "ok", "yes", "b\n", "broken", "problem", "no", "fix: mend it")
                .endsWith("1 in the agent's way; notes: 0\n");
        assertThat(Report.json(checks, 3)).contains("\"exit\" : 3", "\"fix\" : \"mend it\"");
    }

    @Test
    void namesAWrongOption() {
        assertThatThrownBy(() -> DoctorOptions.parse("--port", "x")).hasMessageContaining("--port must be a number");
        assertThatThrownBy(() -> DoctorOptions.parse("--pins")).hasMessageContaining("--pins is unknown or lacks");
        assertThatThrownBy(() -> DoctorOptions.parse("--what", "x")).hasMessage("--what is unknown");
        assertThat(DoctorOptions.parse("--json", "--port", "9000").port()).isEqualTo(9000);
    }
}

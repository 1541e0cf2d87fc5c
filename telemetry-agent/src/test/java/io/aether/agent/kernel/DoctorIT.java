// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.jayway.jsonpath.JsonPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The doctor as a process of its own, from the jar that operators have. */
@RequiresKernel
@Timeout(120)
class DoctorIT {
    private static final Path JAR = Path.of("target", "telemetry-agent-0.1.0-SNAPSHOT-exec.jar");
    private static final String NOBODY = "65534";

    @TempDir
    Path directory;

    private Path jar = JAR;

    @BeforeEach
    void assumeJar() throws IOException {
        assumeTrue(Files.exists(JAR), "needs the packaged agent: mvn verify");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        // Where every user can read it.
        jar = Files.copy(JAR, directory.resolve("agent.jar"));
    }

    private record Result(int exit, String output) {
        String level(String name) {
            return only("level", name);
        }

        String value(String name) {
            return only("value", name);
        }

        String fix(String name) {
            return only("fix", name);
        }

        private String only(String field, String name) {
            List<String> found = JsonPath.read(output, "$.checks[?(@.name == '" + name + "')]." + field);
            assertThat(found).as("%s in %s", name, output).hasSize(1);
            return found.get(0);
        }
    }

    private Result doctor(List<String> prefix, String... arguments) {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-jar",
                jar.toString(),
                "doctor",
                "--table",
                directory.resolve("health").toString()));
        command.addAll(List.of(arguments));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            return new Result(process.exitValue(), output);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Test
    void findsNothingInTheWayOfRoot() {
        try (BpfFileSystem files = new BpfFileSystem()) {
            Result result = doctor(
                    List.of(),
                    "--json",
                    "--cgroup",
                    Area.directory().toString(),
                    "--pins",
                    files.pins().toString());

            assertThat(result.exit()).as(result.output()).isZero();
            assertThat(List.of("version", "types (BTF)", "sockops", "tp_btf", "iter_tcp", "to attach", "watched"))
                    .allSatisfy(name -> assertThat(result.level(name)).as(name).isNotEqualTo("problem"));
            assertThat(result.value("directory")).isEqualTo("nothing in " + files.pins());
            assertThat(result.value("bpf file system"))
                    .isEqualTo(files.pins().getParent().toString());
        }
    }

    @Test
    void tellsNobodyWhatIsLacking() {
        Result result = doctor(
                List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"),
                "--json",
                "--cgroup",
                Area.directory().toString());

        assertThat(result.exit()).isEqualTo(3);
        assertThat(result.level("to attach")).isEqualTo("problem");
        assertThat(result.value("to attach")).contains("CAP_BPF, CAP_PERFMON, CAP_NET_ADMIN");
        assertThat(result.fix("to attach")).contains("as root or with");
        assertThat(result.value("without")).contains("own signals");
        assertThat(result.value("tp_btf")).contains("not permitted");
    }

    @Test
    void namesAForeignProgramInTheWay() {
        try (Cgroup held = new Cgroup(Area.directory());
                ForeignProgram foreign = new ForeignProgram(held.directory())) {
            Result result = doctor(List.of(), "--cgroup", held.directory().toString());

            assertThat(result.exit()).isEqualTo(3);
            assertThat(result.output())
                    .contains(foreign.name() + " (program ", "on " + held.directory() + ", alone", "BPF_F_ALLOW_MULTI");
        }
    }

    @Test
    void showsARunningAgentAndThenCleansUpAfterIt() {
        try (BpfFileSystem files = new BpfFileSystem()) {
            String pins = files.pins().toString();
            String[] look = {"--cgroup", Area.directory().toString(), "--pins", pins, "--port", "0"};
            try (RunningAgent agent = new RunningAgent(directory, files.pins())) {
                agent.await("\"state\":\"watching\"");
                look[5] = Integer.toString(agent.port());
                Result running = doctor(List.of(), look);
                assertThat(running.output())
                        .contains("of process " + agent.pid(), "watching", "probe flow", "attached")
                        .contains("held by process " + agent.pid());
                Result refused = doctor(List.of(), "--clean", "--pins", pins);
                assertThat(refused.exit()).isEqualTo(3);
                assertThat(refused.output()).contains("another agent holds " + pins);
            }
            assertThat(doctor(List.of(), look).output()).contains("of an agent that is gone", "doctor --clean");
            Result cleaned = doctor(List.of(), "--clean", "--pins", pins);
            assertThat(cleaned.exit()).isZero();
            assertThat(cleaned.output()).containsPattern("removed \\d+ maps and links");
            assertThat(files.pins()).doesNotExist();
        }
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        assertThat(doctor(List.of(), "--nonsense").exit()).isEqualTo(2);
        assertThat(doctor(List.of(), "--port", "99999").output()).contains("--port must be a number between");
    }
}

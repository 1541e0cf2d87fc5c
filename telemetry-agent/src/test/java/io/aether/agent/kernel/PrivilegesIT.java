// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.jayway.jsonpath.JsonPath;
import io.aether.agent.bpf.ControlSettings;
import io.aether.agent.bpf.KernelProbes;
import io.aether.agent.bpf.ProbeSettings;
import io.aether.agent.bpf.ProbeStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What each probe needs, as the table in docs/agent.md says. */
@RequiresKernel
@Timeout(120)
class PrivilegesIT {
    private static final Path DOCUMENT = Path.of("..", "docs", "agent.md");
    private static final Pattern CAPABILITY = Pattern.compile("`CAP_([A-Z_]+)`");

    /** By thread: what it needs for what starts later. */
    private static final Map<String, String> KEPT = Map.of(
            "aether-survey", "0000000000280000",
            "aether-scan", "000001c000080004",
            "aether-apps", "0000000000080000",
            "aether-scrub", "0000008000281000");

    @TempDir
    Path directory;

    @BeforeAll
    static void assumeSetpriv() {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "needs setpriv (package util-linux)");
    }

    /** One line of the table: the capabilities, and for each probe the state that is promised. */
    record Row(List<String> capabilities, Map<String, String> states) {
        @Override
        public String toString() {
            return capabilities.isEmpty() ? "none" : String.join("+", capabilities);
        }
    }

    static List<Row> documented() throws IOException {
        List<String> lines = Files.readAllLines(DOCUMENT);
        int header = lines.indexOf(lines.stream()
                .filter(line -> line.startsWith("| capabilities |"))
                .findFirst()
                .orElseThrow());
        List<String> probes = cells(lines.get(header));
        return lines.stream()
                .skip(header + 2L)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> row(probes, cells(line)))
                .toList();
    }

    private static List<String> cells(String line) {
        return Arrays.stream(line.substring(1).split("\\|")).map(String::strip).toList();
    }

    private static Row row(List<String> probes, List<String> cells) {
        Map<String, String> states = new LinkedHashMap<>();
        for (int i = 1; i < probes.size(); i++) {
            states.put(probes.get(i), cells.get(i));
        }
        List<String> capabilities = CAPABILITY
                .matcher(cells.get(0))
                .results()
                .map(match -> match.group(1).toLowerCase(Locale.ROOT))
                .toList();
        return new Row(capabilities, states);
    }

    @ParameterizedTest
    @MethodSource("documented")
    void holdsWhatTheDocumentSays(Row row) {
        Map<String, List<String>> attached = attach(row.capabilities());

        assertThat(attached.entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, entry -> entry.getValue().get(1))))
                .as("%s", attached)
                .isEqualTo(row.states());
        attached.values().stream()
                .filter(fields -> fields.get(1).equals("denied"))
                .forEach(fields -> assertThat(fields.get(3))
                        .contains("CAP_BPF, CAP_PERFMON and CAP_NET_ADMIN; it lacks ")
                        .doesNotContain(lacks(row)));
    }

    /** What must not be named as missing. */
    private static String lacks(Row row) {
        return row.capabilities().isEmpty()
                ? "it lacks CAP_SYS"
                : "lacks CAP_" + row.capabilities().get(0).toUpperCase(Locale.ROOT);
    }

    /** Name, state, reason and fix of each probe of a process that has these capabilities only. */
    private Map<String, List<String>> attach(List<String> capabilities) {
        List<String> command = new ArrayList<>(List.of("setpriv", "--inh-caps=-all"));
        command.add(
                "--bounding-set=-all" + capabilities.stream().map(c -> ",+" + c).collect(Collectors.joining()));
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                AttachMain.class.getName(),
                directory.resolve("health").toString(),
                Area.directory().toString()));
        return Shell.run(command.toArray(String[]::new))
                .lines()
                .map(line -> List.of(line.split("\t", -1)))
                .collect(Collectors.toMap(fields -> fields.get(0), fields -> fields, (a, b) -> b, LinkedHashMap::new));
    }

    @Test
    void tellsAForeignProgramFromAMissingPrivilege() {
        try (Cgroup held = new Cgroup(Area.directory());
                ForeignProgram foreign = new ForeignProgram(held.directory())) {
            try (KernelProbes probes =
                    KernelProbes.open(ProbeSettings.defaults(directory.resolve("health"), held.directory()))) {
                Map<String, ProbeStatus> statuses =
                        probes.attach().stream().collect(Collectors.toMap(ProbeStatus::name, status -> status));

                assertThat(statuses.get("flow").state()).isEqualTo(ProbeStatus.State.CONFLICT);
                assertThat(statuses.get("flow").reason())
                        .contains(
                                "held alone by",
                                foreign.name() + " (program ",
                                held.directory().toString());
                assertThat(statuses.get("flow").fix()).contains("BPF_F_ALLOW_MULTI");
                assertThat(statuses.get("health").state()).isEqualTo(ProbeStatus.State.CONFLICT);
                assertThat(statuses.get("queue").state()).isEqualTo(ProbeStatus.State.ATTACHED);
            }
        }
    }

    @Test
    void sharesWithAForeignProgramThatLetsOthersIn() {
        try (Cgroup held = new Cgroup(Area.directory());
                ForeignProgram foreign = new ForeignProgram(held.directory(), "multi");
                KernelProbes probes =
                        KernelProbes.open(ProbeSettings.defaults(directory.resolve("health"), held.directory())
                                .withControl(ControlSettings.on()))) {
            assertThat(probes.attach())
                    .as(foreign.name())
                    .allSatisfy(status -> assertThat(status.state()).isEqualTo(ProbeStatus.State.ATTACHED));
        }
    }

    @Test
    void worksOnWithoutCapabilitiesOnceAttached(@TempDir Path elsewhere) throws IOException {
        try (BpfFileSystem files = new BpfFileSystem();
                Cgroup quota = Quota.group(5_000);
                Namespace namespace = new Namespace();
                RunningAgent agent = new RunningAgent(elsewhere, files.pins());
                Traffic server = new Traffic(namespace);
                Traffic client = new Traffic(namespace)) {
            assertThat(agent.await("\"state\":\"watching\"", "\"dropped\":true"))
                    .contains("\"flow\":\"new\"");
            assertThat(capabilities(agent.pid()))
                    .isNotEmpty()
                    .allSatisfy((thread, powers) -> assertThat(powers)
                            .as(thread)
                            .isEqualTo(KEPT.getOrDefault(thread, "0000000000000000") + " 1"));

            quota.add(server.pid());
            int port = Integer.parseInt(server.tell("listen * 0"));
            String id = client.tell("connect 127.0.0.1 " + port);
            Shell.await(
                    20_000,
                    () -> {
                        client.tell("exchange " + id + " 100000");
                        return !throttled(agent, port).isEmpty();
                    },
                    () -> agent.get("/api/v1/endpoints"));
            agent.stop();
            assertThat(files.pins()).doesNotExist();
        }
    }

    /** The listener, if it is seen, and seen to lack CPU. */
    private static List<Object> throttled(RunningAgent agent, int port) {
        String endpoints = agent.get("/api/v1/endpoints");
        return JsonPath.read(endpoints, "$.locals[?(@.port == " + port + " && @.report.throttledPermille > 0)]");
    }

    /** Of each thread, by name: what it is permitted, and whether it can ever get more. */
    private static Map<String, String> capabilities(long pid) {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            Map<String, String> all = new LinkedHashMap<>();
            for (Path thread : threads.toList()) {
                Map<String, String> status = Files.readAllLines(thread.resolve("status")).stream()
                        .map(line -> line.split(":\\s*", 2))
                        .collect(Collectors.toMap(field -> field[0], field -> field[1]));
                all.merge(
                        status.get("Name"),
                        status.get("CapPrm") + " " + status.get("NoNewPrivs"),
                        (a, b) -> a.equals(b) ? a : a + " and " + b);
            }
            return all;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}

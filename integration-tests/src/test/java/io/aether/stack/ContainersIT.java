// SPDX-License-Identifier: Apache-2.0
package io.aether.stack;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.AccessMode;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.Volume;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import tools.jackson.databind.JsonNode;

/**
 * An agent, a gateway and three instances of one service, each in a container of its own, on a network of their own: what
 * the containers' edges do to what the agent sees and the gateway knows. The images are those that {@link StackIT} builds.
 */
@RequiresEngine
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class) // a container that comes back is published on another port
class ContainersIT {

    private static final int INSTANCES = 3;
    private static final int PER_SECOND = 50;
    private static final int PAUSES = 5;
    private static final Duration PAUSE = Duration.ofMillis(1500);

    /** A request that takes as long as this waited for a paused instance. */
    private static final Duration STUCK = Duration.ofMillis(800);

    private static final Duration AVOIDED_WITHIN = Duration.ofMillis(100);
    private static final Duration SOON = Duration.ofSeconds(60);

    private final DockerClient docker = DockerClientFactory.lazyClient();
    private final List<GenericContainer<?>> catalogs = new ArrayList<>();
    private Network network;
    private Path shared;
    private GenericContainer<?> agent;
    private GenericContainer<?> gateway;

    @BeforeAll
    void start() throws Exception {
        Images.build();
        network = Network.newNetwork();
        shared = Files.createTempDirectory(Path.of("/dev/shm"), "aether-test-");
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxr-xr-x"));
        agent = agent();
        agent.start();
        for (int i = 1; i <= INSTANCES; i++) {
            GenericContainer<?> catalog =
                    application("sample", "catalog-" + i).withCommand("--sample.services=catalog");
            catalog.start();
            catalogs.add(catalog);
        }
        gateway = application("gateway", "gateway").withCommand(routes());
        gateway.start();
        try (Traffic warmup = new Traffic(url(), PER_SECOND)) {
            assertThat(Web.await(
                            SOON,
                            () -> warmup.done().stream()
                                            .filter(sent -> sent.status() == 200)
                                            .count()
                                    > 500))
                    .isTrue();
        }
    }

    @AfterAll
    void stop() throws Exception {
        Stream.concat(catalogs.stream(), Stream.of(gateway, agent)).forEach(container -> {
            if (container != null) {
                container.stop();
            }
        });
        network.close();
        Stack.removePins();
        try (Stream<Path> files = Files.walk(shared)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private GenericContainer<?> agent() {
        return new GenericContainer<>(Images.tagged("agent"))
                .withNetwork(network)
                .withExposedPorts(9464)
                .withEnv("AETHER_AGENT_CGROUP", Engine.cgroup())
                .withEnv("AETHER_AGENT_PIN_DIRECTORY", Engine.PINS)
                .withCreateContainerCmdModifier(command -> command.getHostConfig()
                        .withPidMode("host")
                        .withCapDrop(Capability.ALL)
                        .withCapAdd(Capability.SYS_ADMIN, Capability.NET_ADMIN, Capability.SYS_PTRACE)
                        .withBinds(
                                bind(shared.toString(), "/run/aether", AccessMode.rw),
                                bind("/sys/fs/cgroup", "/host/cgroup", AccessMode.ro),
                                bind("/sys/fs/bpf", "/sys/fs/bpf", AccessMode.rw)))
                .waitingFor(Wait.forHttp("/actuator/health").withStartupTimeout(SOON));
    }

    private GenericContainer<?> application(String image, String name) {
        return new GenericContainer<>(Images.tagged(image))
                .withNetwork(network)
                .withNetworkAliases(name)
                .withExposedPorts(8080)
                .withCreateContainerCmdModifier(command -> command.getHostConfig()
                        .withReadonlyRootfs(true)
                        .withTmpFs(Map.of("/tmp", ""))
                        .withBinds(
                                bind(shared.toString(), "/run/aether", AccessMode.ro),
                                bind(shared + "/apps", "/run/aether/apps", AccessMode.rw)))
                .waitingFor(Wait.forHttp("/actuator/health").withStartupTimeout(SOON));
    }

    private static Bind bind(String from, String to, AccessMode mode) {
        return new Bind(from, new Volume(to), mode);
    }

    private static String[] routes() {
        String route = "--spring.cloud.gateway.server.webflux.routes[0].";
        Stream<String> instances = Stream.of(1, 2, 3)
                .map(i -> "--spring.cloud.discovery.client.simple.instances.catalog[%d].uri=http://catalog-%d:8080"
                        .formatted(i - 1, i));
        return Stream.concat(
                        Stream.of(
                                route + "id=catalog",
                                route + "uri=lb://catalog",
                                route + "predicates[0]=Path=/catalog"),
                        instances)
                .toArray(String[]::new);
    }

    private String url() {
        return "http://" + gateway.getHost() + ":" + gateway.getMappedPort(8080) + "/catalog";
    }

    private String agentUrl() {
        return "http://" + agent.getHost() + ":" + agent.getMappedPort(9464);
    }

    @Test
    @Order(1)
    void theAgentSeesThePeersOfContainersByTheirCgroups() throws Exception {
        try (Traffic traffic = new Traffic(url(), PER_SECOND)) {
            Web.await(Duration.ofSeconds(3), () -> traffic.done().size() > 2 * PER_SECOND);
        }
        JsonNode endpoints = Web.json(agentUrl() + "/api/v1/endpoints");
        assertThat(catalogs).allSatisfy(catalog -> {
            assertThat(endpoints.path("locals").valueStream())
                    .as(endpoints.toString())
                    .anyMatch(local -> local.path("cgroup")
                            .asString()
                            .contains(catalog.getContainerId().substring(0, 12)));
            assertThat(endpoints.path("peers").valueStream())
                    .anyMatch(peer -> peer.path("address").asString().equals(address(catalog)));
        });
    }

    private static String address(GenericContainer<?> container) {
        return container.getContainerInfo().getNetworkSettings().getNetworks().values().stream()
                .findFirst()
                .orElseThrow()
                .getIpAddress();
    }

    /**
     * Paused by the engine's freezer: its kernel still accepts what is sent to it, and nobody reads. Each time it is the one
     * that is asked most, because nobody can be seen to avoid what gets nothing anyway.
     */
    @Test
    @Order(2)
    void aStoppedContainerIsAvoided() throws Exception {
        List<Long> millis = new ArrayList<>();
        try (Traffic traffic = new Traffic(url(), PER_SECOND)) {
            for (int i = 0; i < PAUSES; i++) {
                String victim = busiest().getContainerId();
                docker.pauseContainerCmd(victim).exec();
                long frozen = System.nanoTime();
                Thread.sleep(PAUSE.toMillis());
                docker.unpauseContainerCmd(victim).exec();
                Thread.sleep(1_000);
                millis.add(lastStuck(traffic, frozen) / 1_000_000);
            }
        }
        System.out.println("a paused container got its last request after (ms): " + millis);
        assertThat(millis.stream().sorted().toList().get(PAUSES / 2))
                .as("median of " + millis + " ms")
                .isLessThanOrEqualTo(AVOIDED_WITHIN.toMillis());
    }

    /** The instance that got most of the requests of one second. */
    private GenericContainer<?> busiest() throws Exception {
        Map<GenericContainer<?>, Long> before = new HashMap<>();
        for (GenericContainer<?> catalog : catalogs) {
            before.put(catalog, served(catalog));
        }
        Thread.sleep(1_000);
        GenericContainer<?> busiest = catalogs.get(0);
        long most = 0;
        for (GenericContainer<?> catalog : catalogs) {
            long requests = served(catalog) - before.getOrDefault(catalog, 0L);
            if (requests > most) {
                most = requests;
                busiest = catalog;
            }
        }
        assertThat(most).as("requests in one second, of " + PER_SECOND).isGreaterThan(PER_SECOND / 10);
        return busiest;
    }

    private static long served(GenericContainer<?> catalog) throws Exception {
        String counts = Web.get("http://" + catalog.getHost() + ":" + catalog.getMappedPort(8080) + "/served")
                .body();
        return Long.parseLong(counts.strip().split(" ")[1]);
    }

    /** How long after the freeze the last request was sent that then waited for its end; 0 when none was. */
    private static long lastStuck(Traffic traffic, long frozen) {
        return traffic.done().stream()
                .filter(sent -> sent.tookNanos() > STUCK.toNanos()
                        && sent.sentNanos() > frozen
                        && sent.sentNanos() < frozen + PAUSE.toNanos())
                .mapToLong(sent -> sent.sentNanos() - frozen)
                .max()
                .orElse(0);
    }

    @Test
    @Order(3)
    void anAgentThatIsKilledAndComesBackLosesNoRequest() throws Exception {
        Traffic traffic = new Traffic(url(), PER_SECOND);
        try (traffic) {
            Thread.sleep(1_000);
            docker.killContainerCmd(agent.getContainerId()).exec();
            assertThat(Web.await(SOON, () -> !live())).as("the gateway notices").isTrue();
            docker.startContainerCmd(agent.getContainerId()).exec();
            assertThat(Web.await(SOON, this::live)).as("and takes it up again").isTrue();
            Thread.sleep(1_000);
        }
        assertThat(traffic.done())
                .hasSizeGreaterThan(2 * PER_SECOND)
                .allSatisfy(sent -> assertThat(sent.status()).isEqualTo(200));
        System.out.println("requests while the agent was killed and came back: "
                + traffic.done().size() + ", all answered");
    }

    private boolean live() throws Exception {
        return Web.get(url().replace("/catalog", "/actuator/aether")).body().contains("\"state\":\"live\"");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.grafana.Dashboard;
import io.aether.grafana.Repository;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import tools.jackson.databind.JsonNode;

/**
 * The compose stack as a user starts it: images built, everything healthy in order, a checkout made; then what is promised of
 * it. One stack for all, because it takes two cores a minute to start; the order spares waiting.
 */
@RequiresEngine
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StackIT {

    private static final Duration SOON = Duration.ofSeconds(60);

    /** The bar on two idle cores is 120 s; what else runs on a machine of tests may double it. */
    private static final Duration FIRST_CHECKOUT = Duration.ofSeconds(240);

    /** Of the load's checkouts, on two cores that do other work as well. */
    private static final double MOST = 0.5;

    private Stack stack;

    @BeforeAll
    void start() throws Exception {
        Images.build();
        stack = new Stack();
        long begun = System.nanoTime();
        try {
            stack.start();
            assertThat(Web.await(SOON, this::checkout))
                    .as("a checkout succeeds")
                    .isTrue();
        } catch (Throwable e) {
            try (Stack failed = stack) {
                System.out.println(failed.logs("agent") + failed.logs("gateway"));
            }
            throw e;
        }
        double took = seconds(begun);
        System.out.printf("from built images to the first checkout: %.0f s%n", took);
        assertThat(took).isLessThan(FIRST_CHECKOUT.toSeconds());
    }

    @AfterAll
    void stop() {
        if (stack != null) {
            stack.close();
        }
    }

    private boolean checkout() throws Exception {
        return Web.get(stack.gateway() + "/checkout").statusCode() == 200;
    }

    private static double seconds(long sinceNanos) {
        return (System.nanoTime() - sinceNanos) / 1e9;
    }

    @Test
    @Order(0)
    void theFileIsUnderstoodAndImagesAreSmall() {
        assertThat(stack.config()).contains("aether/agent", "aether/gateway", "aether/sample", "grafana/grafana");
        assertThat(List.of("agent", "gateway", "sample")).allSatisfy(image -> {
            System.out.println(Images.tagged(image) + ": " + Images.megabytes(image) + " MB");
            assertThat(Images.megabytes(image)).as(image).isLessThanOrEqualTo(300);
        });
    }

    @Test
    @Order(1)
    void nothingHasMorePowerThanItNeeds() {
        assertThat(stack.containers()).hasSize(16).allSatisfy((service, container) -> {
            JsonNode host = container.path("HostConfig");
            assertThat(host.path("Privileged").asBoolean()).as(service).isFalse();
            assertThat(host.path("CapDrop").toString()).as(service).contains("ALL");
            assertThat(host.path("Memory").asLong()).as(service).isPositive();
            assertThat(host.path("RestartPolicy").path("Name").asString())
                    .as(service)
                    .isEqualTo("unless-stopped");
            Set<String> capabilities = new TreeSet<>();
            host.path("CapAdd").valueStream().forEach(capability -> capabilities.add(capability.asString()));
            assertThat(capabilities)
                    .as(service)
                    .isEqualTo(
                            switch (service) {
                                case "agent" -> Set.of("SYS_ADMIN", "NET_ADMIN", "SYS_PTRACE");
                                case "faults" -> Set.of("KILL", "NET_ADMIN");
                                default -> Set.of();
                            });
            if (!Set.of("agent", "faults", "prometheus").contains(service)) {
                assertThat(container.path("Config").path("User").asString())
                        .as(service)
                        .isEqualTo("10001:10001");
                assertThat(host.path("ReadonlyRootfs").asBoolean()).as(service).isTrue();
            }
        });
    }

    @Test
    @Order(2)
    void applicationsReadTheTableAndCannotWriteIt() throws Exception {
        assertThat(stack.exec("catalog-1", "test", "-r", "/run/aether/health").exitCode())
                .isZero();
        assertThat(stack.exec("catalog-1", "bash", "-c", "echo > /run/aether/health")
                        .output())
                .contains("Read-only file system");
        assertThat(Web.await(
                        SOON,
                        () -> Web.get(stack.gateway() + "/actuator/aether")
                                .body()
                                .contains("\"state\":\"live\"")))
                .as("the gateway balances with the kernel's signals")
                .isTrue();
    }

    @Test
    @Order(3)
    void theAgentIsWellAndKnowsContainersByName() throws Exception {
        JsonNode health = Web.json(stack.agent() + "/actuator/health");
        assertThat(health.path("components")
                        .path("aether")
                        .path("details")
                        .path("state")
                        .asString())
                .as(health.toString())
                .isEqualTo("watching");
        String metrics = Web.get(stack.agent() + "/actuator/prometheus").body();
        assertThat(List.of("gateway", "checkout-1", "others-1", "catalog-1", "replica-3", "leaf-2"))
                .allSatisfy(service -> assertThat(metrics)
                        .as(service)
                        .containsPattern("aether_endpoint_connections\\{cgroup=\"(docker|container)/[^\"]*" + service));
    }

    @Test
    @Order(4)
    void prometheusScrapesEveryTargetAndTakesTheAlerts() throws Exception {
        assertThat(Web.await(
                        SOON, () -> Web.query(stack.prometheus(), "up == 1").size() == 14))
                .as("targets that are up: " + Web.query(stack.prometheus(), "up"))
                .isTrue();
        assertThat(stack.exec("prometheus", "promtool", "test", "rules", "/etc/aether/alerts_test.yml")
                        .output())
                .contains("SUCCESS");
    }

    /** At the rate of the file, which is for two cores: while it grows, and once it is reached. */
    @Test
    @Order(5)
    void mostCheckoutsOfTheLoadSucceed() throws Exception {
        List<LoadReport> reports = LoadReport.await(stack, LoadReport.OF_RAMP + 3);
        System.out.println(
                "the load at " + stack.inspect("load").path("Config").path("Cmd") + ":\n" + stack.logs("load"));
        assertThat(reports).hasSizeGreaterThan(LoadReport.OF_RAMP);
        double inRamp = answered(reports.subList(0, LoadReport.OF_RAMP));
        double atRate = answered(reports.subList(LoadReport.OF_RAMP, reports.size()));
        System.out.printf(
                "answered while the rate grew %.1f %%, at the full rate %.1f %%%n", 100 * inRamp, 100 * atRate);
        assertThat(List.of(inRamp, atRate))
                .allSatisfy(share -> assertThat(share).isGreaterThan(MOST));
    }

    private static double answered(List<LoadReport> reports) {
        double requests = reports.stream().mapToInt(LoadReport::requests).sum();
        return 1 - reports.stream().mapToInt(LoadReport::failed).sum() / requests;
    }

    @Test
    @Order(6)
    void everyFaultIsSwitchedOnAndOff() throws Exception {
        stack.fault("errors", "on");
        assertThat(status("tax-1", "/tax")).isEqualTo("500");
        stack.fault("errors", "off");
        assertThat(status("tax-1", "/tax")).isEqualTo("200");
        stack.fault("link", "on");
        assertThat(stack.exec("faults", "tc", "qdisc", "show", "dev", "eth0").output())
                .contains("tbf");
        stack.fault("link", "off");
        assertThat(stack.exec("faults", "tc", "qdisc", "show", "dev", "eth0").output())
                .doesNotContain("tbf");
        stack.fault("noisy", "on");
        assertThat(Web.await(SOON, () -> worst("aether_endpoint_throttled_ratio") > 0.1))
                .as("waits for quota")
                .isTrue();
        stack.fault("noisy", "off");
        stack.fault("pause", "on");
        String process = "/proc/" + stack.inspect("catalog-1").path("State").path("Pid") + "/status";
        assertThat(Web.await(
                        SOON,
                        () -> stack.exec("faults", "cat", process).output().contains("State:\tT")))
                .as("catalog-1 is stopped")
                .isTrue();
        stack.fault("pause", "off");
        int restarts = stack.inspect("shipping-1").path("RestartCount").asInt();
        stack.fault("restart", "on");
        assertThat(Web.await(
                        SOON,
                        () -> stack.inspect("shipping-1").path("RestartCount").asInt() > restarts))
                .as("shipping-1 is started again")
                .isTrue();
        assertThat(Web.await(SOON, this::checkout))
                .as("checkouts succeed again")
                .isTrue();
    }

    @Test
    @Order(7)
    void aFaultThatThereIsNotIsWrongUsage() {
        assertThat(stack.exec("faults", "fault", "nonsense", "on"))
                .satisfies(result -> assertThat(result.exitCode()).isEqualTo(2))
                .satisfies(result -> assertThat(result.output()).contains("usage: fault", "noisy"));
    }

    @Test
    @Order(8)
    void everyQueryOfEveryDashboardHasData() throws Exception {
        Web.await(SOON, () -> queriesWithoutData().isEmpty());
        assertThat(queriesWithoutData()).isEmpty();
    }

    private List<String> queriesWithoutData() throws Exception {
        List<String> missing = new ArrayList<>();
        for (Dashboard dashboard : Repository.dashboards()) {
            for (Dashboard.Query query : dashboard.queries()) {
                if (!hasData(query.expression(), Web.query(stack.prometheus(), query.everything()))) {
                    missing.add(query.where() + ": " + query.everything());
                }
            }
        }
        return missing;
    }

    /** A limit that there is not yet is NaN, as documented; any other query has numbers. */
    private static boolean hasData(String expression, JsonNode series) {
        return series.valueStream()
                .anyMatch(each -> expression.contains("aether_limit_rate")
                        || !each.path("value").path(1).asString().equals("NaN"));
    }

    /** Largest value of a metric that the agent shows now. */
    private double worst(String metric) throws Exception {
        return Web.get(stack.agent() + "/actuator/prometheus")
                .body()
                .lines()
                .filter(line -> line.startsWith(metric + "{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .max()
                .orElse(0);
    }

    /** Asked from the neighbourhood, because only the gateway is published. */
    private String status(String host, String path) {
        String ask =
                "exec 3<>/dev/tcp/%s/8080; printf 'GET %s HTTP/1.0\\r\\n\\r\\n' >&3; read -r _ status _ <&3; echo $status";
        return stack.exec("leaf-1", "bash", "-c", ask.formatted(host, path))
                .output()
                .strip();
    }
}

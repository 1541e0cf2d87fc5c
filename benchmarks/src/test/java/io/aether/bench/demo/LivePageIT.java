// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.agent.web.Browser;
import io.aether.sample.Graph;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The gateway's page in a real browser, before a small graph of real processes under real load. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LivePageIT {

    private static final int PHONE = 360;
    private static final Path PICTURES = Path.of("target", "page");
    private static final String READY = "document.body.dataset.ready === 'true'";
    private static final String LINK = "document.getElementById('link').textContent";
    private static final String EDGE = "document.querySelector('[data-edge=\"cart catalog\"]').dataset.state === '%s'";

    /** Checkouts that the page counts, of all arms. */
    private static final String CHECKOUTS = "[...document.querySelectorAll('#figures td[data-label=Checkouts]')]"
            + ".reduce((sum, cell) => sum + Number(cell.textContent), 0)";

    /** What a registry may call an instance. */
    private static final String HOSTILE = "<img src=x onerror=window.broken=1></text><script>window.broken=1</script>";

    private Path directory;
    private SmallDemo demo;
    private Browser browser;

    @BeforeAll
    void start(@TempDir Path temporary) throws Exception {
        directory = temporary;
        if (Browser.find().isEmpty()) {
            System.out.println("skipped: the live page needs Chromium to be tried (package chromium)");
        }
        Assumptions.assumeTrue(Browser.find().isPresent(), "needs Chromium (package chromium)");
        demo = new SmallDemo(directory);
        demo.start();
    }

    @AfterAll
    void stop() {
        if (demo != null) {
            demo.close();
        }
    }

    @BeforeEach
    void open() throws Exception {
        browser = new Browser(Files.createTempDirectory(directory, "profile"));
        browser.size(1280, 900, false);
        browser.open(demo.page());
        browser.await(READY);
    }

    @AfterEach
    void close() {
        browser.close();
    }

    @Test
    void showsDataWithinASecondFromThisServerOnly() throws Exception {
        DoubleSummaryStatistics first = firstData();
        System.out.printf("live page: first data after %.0f to %.0f ms%n", first.getMin(), first.getMax());
        // The machine does other things too.
        assertThat(first.getMin()).isBetween(1.0, 1000.0);
        assertThat(browser.value("document.querySelectorAll('.node').length").asInt())
                .isEqualTo(1 + Graph.services().size());
        browser.await(CHECKOUTS + " > 0");
        int before = browser.value(CHECKOUTS).asInt();
        browser.await(CHECKOUTS + " > " + before);
        browser.await("document.querySelector('#figures tbody tr td[data-label=P50]').textContent.includes('ms')");
        assertThat(browser.requests()).hasSizeGreaterThan(10).allMatch(url -> url.startsWith(demo.page()));
        if (demo.hasAgent()) {
            browser.await(LINK + " === 'live'");
            browser.await(EDGE.formatted("healthy"));
            assertThat(browser.complaints()).isEmpty();
        }
    }

    @Test
    void switchesArmsAndFaultsForReal() throws Exception {
        press("arms", "round-robin");
        browser.await(pressed("arms", "round-robin") + " === 'true'");
        assertThat(demo.report()).contains("\"mode\":\"off\"");
        press("faults", "pause");
        browser.await(pressed("faults", "pause") + " === 'true'");
        if (demo.hasAgent()) {
            browser.await(EDGE.formatted("stalled"));
            picture("pause");
        }
        browser.await(share() + " >= 40 && " + share() + " <= 60");

        press("arms", demo.aether());
        browser.await(pressed("arms", demo.aether()) + " === 'true'");
        assertThat(demo.report()).contains("\"mode\":\"on\"");
        browser.await(share() + " < 35");

        press("faults", "pause");
        browser.await(pressed("faults", "pause") + " === 'false'");
        if (demo.hasAgent()) {
            browser.await(EDGE.formatted("healthy"));
        }
        assertThat(browser.value("document.querySelector('#faults [data-name=noisy]').disabled")
                        .asBoolean())
                .as("no instance of it runs here")
                .isTrue();
    }

    @Test
    void goesOnWithoutTheAgentAndComesBackWithIt() throws Exception {
        Assumptions.assumeTrue(demo.hasAgent(), "needs root: the agent loads kernel programs");
        browser.await(LINK + " === 'live'");
        press("agent", "agent");
        browser.await(LINK + ".startsWith('agent away since ')");
        browser.await(LINK + ".endsWith('balancing on application signals')");
        browser.await(EDGE.formatted("unknown"));
        int before = browser.value(CHECKOUTS).asInt();
        browser.await(CHECKOUTS + " > " + before);
        picture("agent-away");

        press("agent", "agent");

        browser.await(LINK + " === 'live'");
        browser.await(EDGE.formatted("healthy"));
    }

    @Test
    void saysWhenTheGatewayHangsAndGoesOnAfterwards() throws Exception {
        demo.stopGateway(true);
        try {
            browser.await(LINK + ".startsWith('gateway away since ')");
        } finally {
            demo.stopGateway(false);
        }
        browser.await("!" + LINK + ".startsWith('gateway away')");
        int before = browser.value(CHECKOUTS).asInt();
        browser.await(CHECKOUTS + " > " + before);
    }

    @Test
    void everySwitchIsReachedByKeyboardAndHasAName() throws Exception {
        browser.await("document.querySelectorAll('.switches button').length === 9");
        int enabled = browser.value("document.querySelectorAll('button:enabled').length")
                .asInt();
        List<String> reached = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            key("Tab", 9);
            reached.add(browser.value("document.activeElement.getAttribute('aria-labelledby')"
                            + " ?? document.activeElement.id ?? ''")
                    .asString(""));
        }
        assertThat(reached)
                .contains("arms-round-robin", "arms-" + demo.aether(), "faults-pause", "forget", "graph-title");
        assertThat(reached.stream().distinct().filter(name -> name.matches("(arms|faults|agent)-.*|forget")))
                .hasSize(enabled);
        JsonNode tree = browser.call("Accessibility.getFullAXTree", Map.of()).get("nodes");
        for (JsonNode node : tree) {
            if (node.at("/role/value").asString("").matches("button|image|table|group|link")) {
                assertThat(node.at("/name/value").asString(""))
                        .as(node.toString())
                        .isNotEmpty();
            }
        }
        browser.value("document.querySelector('#arms [data-name=\"application\"]').focus()");
        assertThat(browser.value("getComputedStyle(document.activeElement).outlineStyle")
                        .asString())
                .isEqualTo("solid");
        key(" ", 32);
        browser.await(pressed("arms", "application") + " === 'true'");
        assertThat(browser.value("document.activeElement.dataset.name").asString())
                .isEqualTo("application");
        press("arms", demo.aether());
        browser.await(pressed("arms", demo.aether()) + " === 'true'");
    }

    @Test
    void fitsAPhoneAndShowsNamesAsText() throws Exception {
        browser.answer("*/live/graph", demo.graph().replace("catalog-1", HOSTILE));
        browser.size(PHONE, 780, true);
        browser.open(demo.page() + "?hostile");
        browser.await(READY + " && location.search === '?hostile'");
        browser.await("document.getElementById('instances').textContent.includes('<img src=x onerror')");

        assertThat(browser.value(
                                "window.broken === undefined"
                                        + " && document.querySelectorAll('main img, main script, svg img, svg script').length === 0")
                        .asBoolean())
                .isTrue();
        assertThat(browser.value("document.scrollingElement.scrollWidth").asInt())
                .isLessThanOrEqualTo(PHONE);
        picture("phone");
    }

    // --- what is pressed and read ------------------------------------------------------------------------

    private void press(String group, String name) throws Exception {
        browser.await("document.querySelector('#%s [data-name=\"%s\"]') !== null".formatted(group, name));
        browser.value("document.querySelector('#%s [data-name=\"%s\"]').click()".formatted(group, name));
    }

    private static String pressed(String group, String name) {
        return "document.querySelector('#%s [data-name=\"%s\"]').getAttribute('aria-pressed')".formatted(group, name);
    }

    private void key(String key, int code) throws Exception {
        for (String type : List.of("keyDown", "keyUp")) {
            browser.call(
                    "Input.dispatchKeyEvent",
                    Map.of(
                            "type",
                            type,
                            "key",
                            key,
                            "code",
                            key.isBlank() ? "Space" : key,
                            "text",
                            key.isBlank() ? key : "",
                            "windowsVirtualKeyCode",
                            code));
        }
    }

    /** Share of its service's traffic that the instance has which the fault stops, in per cent. */
    private static String share() {
        return "parseFloat([...document.querySelectorAll('#instances tbody tr')].find(row => row.querySelector('.name').textContent"
                + " === 'catalog-1').querySelector('td[data-label=Traffic]').textContent)";
    }

    /** From three navigations until the graph was drawn, in milliseconds. */
    private DoubleSummaryStatistics firstData() throws Exception {
        DoubleSummaryStatistics times = new DoubleSummaryStatistics();
        for (int i = 0; i < 3; i++) {
            browser.open(demo.page() + "?" + i);
            browser.await(READY + " && location.search === '?" + i + "'");
            times.accept(browser.value("performance.getEntriesByName('first-data')[0].startTime")
                    .asDouble());
        }
        return times;
    }

    private void picture(String name) throws Exception {
        for (String scheme : List.of("light", "dark")) {
            browser.prefer(scheme);
            browser.picture(PICTURES.resolve(name + "-" + scheme + ".png"));
        }
    }
}

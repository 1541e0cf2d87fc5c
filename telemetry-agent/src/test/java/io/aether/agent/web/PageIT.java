// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.agent.AgentApplication;
import io.aether.agent.bpf.Edge;
import io.aether.agent.stream.EdgeStream;
import io.aether.core.table.EndpointAddress;
import io.aether.core.table.TableLayout;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The page in a real browser, on an agent whose programs are switched off: no privileges needed. */
@Timeout(120)
class PageIT {
    private static final int PHONE = 390;
    private static final Path PICTURES = Path.of("target", "page");
    private static final String READY = "document.body.dataset.ready === 'true'";
    private static final String LINK = "document.getElementById('link').dataset.state";

    /** Names that a process can give its cgroup. */
    private static final String HOSTILE =
            "<img src=x onerror=window.broken=1>\\\"'</td><script>window.broken=1</script>";

    @TempDir
    Path directory;

    private int port;
    private ConfigurableApplicationContext agent;
    private Browser browser;

    @BeforeEach
    void start() throws Exception {
        if (Browser.find().isEmpty()) {
            System.out.println("skipped: the page needs Chromium to be tried (package chromium)");
        }
        Assumptions.assumeTrue(Browser.find().isPresent(), "needs Chromium (package chromium)");
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        agent = agent();
        browser = new Browser(directory.resolve("profile"));
    }

    @AfterEach
    void stop() {
        if (browser != null) {
            browser.close();
        }
        if (agent != null) {
            agent.close();
        }
    }

    private ConfigurableApplicationContext agent() {
        return SpringApplication.run(
                AgentApplication.class,
                "--server.port=" + port,
                "--aether.agent.table-path=" + directory.resolve("health"),
                "--aether.agent.probes.flow.enabled=false",
                "--aether.agent.probes.queue.enabled=false",
                "--aether.agent.probes.sched.enabled=false",
                "--aether.agent.probes.health.enabled=false",
                "--aether.agent.probes.http.enabled=false",
                "--aether.agent.probes.tls.enabled=false",
                "--aether.agent.probes.ecn.enabled=false");
    }

    private void open() throws Exception {
        browser.open("http://127.0.0.1:" + port + "/");
        browser.await(READY);
    }

    @Test
    void showsDataWithinASecondFromItsOwnFilesOnly() throws Exception {
        browser.open("http://127.0.0.1:" + port + "/"); // The first request of all wakes the server.
        browser.await(READY);
        browser.open("http://127.0.0.1:" + port + "/?again");
        browser.await(READY);

        double first = browser.value("performance.getEntriesByName('first-data')[0].startTime")
                .asDouble();
        System.out.printf("page: first data after %.0f ms%n", first);
        assertThat(first).isBetween(1.0, 1000.0);
        browser.await(LINK + " === 'live'");
        assertThat(browser.requests()).isNotEmpty().allMatch(url -> url.startsWith("http://127.0.0.1:" + port + "/"));
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void saysThatTheKernelIsNotSeen() throws Exception {
        open();

        browser.await("!document.getElementById('notice').hidden");
        assertThat(text("notice")).contains("The kernel is not seen");
        assertThat(text("probes")).contains("flow: disabled", "queue: disabled", "sched: disabled", "health: disabled");
    }

    @Test
    void showsNamesAsTextWhateverTheyHold() throws Exception {
        browser.answer("*/api/v1/endpoints", endpoints(HOSTILE));
        open();

        assertThat(text("locals")).contains("<img src=x onerror", "</td><script>");
        assertThat(browser.value(
                                "window.broken === undefined && document.querySelectorAll('main img, main script').length === 0")
                        .asBoolean())
                .isTrue();
        assertThat(text("notice")).contains("<b>denied</b>");
        assertThat(text("peers")).contains("[fd00::7]:5432", "congested", "52.0 ms");
        assertThat(text("locals")).contains("throttled 12.5 %", "7.40 ms", "35/s");
        for (String scheme : List.of("light", "dark")) {
            browser.prefer(scheme);
            browser.size(1280, 900, false);
            browser.picture(PICTURES.resolve("made-up-" + scheme + ".png"));
        }
    }

    @Test
    void fitsAPhone() throws Exception {
        browser.size(PHONE, 844, true);
        browser.answer("*/api/v1/endpoints", endpoints("a-name-that-is-" + "very-".repeat(30) + "long"));
        open();

        browser.await("document.querySelectorAll('#locals tbody tr').length === 1");
        assertThat(browser.value("document.scrollingElement.scrollWidth").asInt())
                .isLessThanOrEqualTo(PHONE);
        browser.picture(PICTURES.resolve("made-up-phone.png"));
    }

    @Test
    void tellsChangesInWordsAndAtOnce() throws Exception {
        open();
        browser.await(LINK + " === 'live'");

        agent.getBean(EdgeStream.class).changed(List.of(stalled()), 0);

        browser.await("document.querySelectorAll('#edges li').length === 1");
        assertThat(text("edges")).contains("stalled", "local *:8080", "data unread for 10.1 ms");
        assertThat(text("said")).contains("local *:8080 stalled");
        assertThat(browser.value("document.getElementById('said').getAttribute('aria-live')")
                        .asString())
                .isEqualTo("polite");
    }

    @Test
    void comesBackAfterARestartOfTheAgent() throws Exception {
        open();
        browser.await(LINK + " === 'live'");
        agent.close();
        browser.await(LINK + " === 'down'");

        agent = agent();

        browser.await(LINK + " === 'live'");
        agent.getBean(EdgeStream.class).changed(List.of(stalled()), 0);
        browser.await("document.querySelectorAll('#edges li').length === 1");
    }

    @Test
    void canBeWalkedThroughByKeyboard() throws Exception {
        open();

        assertThat(browser.value("[...document.querySelectorAll('table')].every(table =>"
                                + " table.querySelectorAll('thead th[scope=col]').length > 5"
                                + " && document.getElementById(table.getAttribute('aria-labelledby')))")
                        .asBoolean())
                .isTrue();
        assertThat(browser.value("document.querySelector('label[for=filter]') !== null")
                        .asBoolean())
                .isTrue();
        browser.call(
                "Input.dispatchKeyEvent",
                java.util.Map.of("type", "keyDown", "key", "Tab", "code", "Tab", "windowsVirtualKeyCode", 9));
        assertThat(browser.value("document.activeElement.className").asString()).isEqualTo("skip");
    }

    private String text(String id) throws Exception {
        return browser.value("document.getElementById('" + id + "').textContent")
                .asString();
    }

    private static Edge stalled() {
        EndpointAddress any = Objects.requireNonNull(EndpointAddress.parse("::", 8080));
        return new Edge(
                System.nanoTime(), 1, any, TableLayout.KIND_LOCAL, 0, TableLayout.FLAG_STALLED, 1, 0, 0, 10_100, 0, 1);
    }

    /** What an agent would answer that sees one server and one peer, with this name of a cgroup. */
    private static String endpoints(String cgroup) throws IOException {
        try (var in = Objects.requireNonNull(PageIT.class.getResourceAsStream("endpoints.json"))) {
            return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8).replace("@CGROUP@", cgroup);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.doctor;

import io.aether.core.NanoClock;
import io.aether.core.table.HealthTable;
import io.aether.core.table.TableException;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An agent that runs already: its table, and what it says of itself. */
final class AgentChecks {
    private static final String GROUP = "agent";
    private static final int PATIENCE_MILLIS = 500;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int NO_SERVICE = 503;

    private AgentChecks() {}

    static List<Check> checks(DoctorOptions options) {
        if (!Files.exists(options.table())) {
            return List.of(Check.ok(GROUP, "state", "none runs (no table " + options.table() + ")"));
        }
        try (HealthTable table = HealthTable.open(options.table(), NanoClock.system())) {
            if (!table.alive()) {
                return List.of(Check.ok(GROUP, "state", "none runs; the last one's table is " + options.table()));
            }
            List<Check> checks = new ArrayList<>();
            checks.add(Check.ok(
                    GROUP,
                    "table",
                    options.table() + " of process " + table.writerPid() + ", last beat "
                            + table.heartbeatAgeNanos() / NANOS_PER_MILLI + " ms ago, " + table.used() + " of "
                            + table.slotCount() + " slots"));
            checks.addAll(ask(options.port()));
            return checks;
        } catch (TableException e) {
            return List.of(Check.note(GROUP, "table", String.valueOf(e.getMessage()), "restart the agent"));
        }
    }

    private static List<Check> ask(int port) {
        String url = "http://127.0.0.1:" + port + "/actuator/health";
        try {
            JsonNode details = JsonMapper.builder().build().readTree(get(url)).at("/components/aether/details");
            List<Check> checks = new ArrayList<>();
            checks.add(Check.ok(GROUP, "state", details.path("state").asString("unknown")));
            details.path("probes")
                    .properties()
                    .forEach(probe -> checks.add(probe("probe " + probe.getKey(), probe.getValue())));
            return checks;
        } catch (IOException | JacksonException e) {
            return List.of(Check.note(
                    GROUP, "state", "it does not answer at " + url, "give its port: ./aether doctor --port N"));
        }
    }

    private static Check probe(String name, JsonNode probe) {
        String state = probe.path("state").asString("unknown");
        String reason = probe.path("reason").asString("");
        String value = reason.isEmpty() ? state : state + ": " + reason;
        return state.equals("attached") || state.equals("disabled")
                ? Check.ok(GROUP, name, value)
                : Check.problem(GROUP, name, value, probe.path("fix").asString(""));
    }

    private static byte[] get(String url) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(url).toURL().openConnection();
        connection.setConnectTimeout(PATIENCE_MILLIS);
        connection.setReadTimeout(PATIENCE_MILLIS);
        boolean down = connection.getResponseCode() == NO_SERVICE;
        try (InputStream in = down ? connection.getErrorStream() : connection.getInputStream()) {
            return in.readAllBytes();
        } finally {
            connection.disconnect();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.core.score;

import org.jspecify.annotations.Nullable;

/**
 * What a server says of its load, in the format of ORCA (xDS's Open Request Cost Aggregation): the header {@value #HEADER} of an
 * answer, {@code TEXT cpu_utilization=0.3,rps_fractional=10,eps=1} or {@code JSON {"cpu_utilization":0.3}}.
 *
 * <p>It comes from the outside: what is too long, not a number, negative or beyond belief makes the whole of it void. Names that
 * are not known are passed over.
 *
 * @param utilization {@code application_utilization}, or else {@code cpu_utilization}, and a share for errors as gRPC's weighted
 *     round robin adds it: 0 to {@link #MOST}
 */
public record LoadReport(double utilization) {
    public static final String HEADER = "endpoint-load-metrics";

    /** Ten times what there is says as much as any more. */
    public static final double MOST = 10;

    static final int MOST_CHARS = 2048;
    static final int MOST_METRICS = 64;
    private static final String TEXT = "TEXT ";
    private static final String JSON = "JSON ";
    private static final double MOST_NUMBER = 1e12;

    /** Reads a header; null when it makes no sense, or says nothing of a utilization. */
    public static @Nullable LoadReport parse(String header) {
        if (header.length() > MOST_CHARS) {
            return null;
        }
        if (header.regionMatches(true, 0, TEXT, 0, TEXT.length())) {
            return of(header.substring(TEXT.length()), '=');
        }
        String body = header.strip();
        if (!body.regionMatches(true, 0, JSON, 0, JSON.length()) || !body.endsWith("}")) {
            return null; // BIN is protobuf, which nobody here reads.
        }
        int open = body.indexOf('{');
        // Nested objects are the named metrics, which do not matter here: without their braces they are names like
        // others.
        return open < 0 ? null : of(flat(body.substring(open + 1, body.length() - 1)), ':');
    }

    private static String flat(String json) {
        int nested = json.indexOf('{');
        return nested < 0 ? json : json.replaceAll("\"[^\"]*\"\\s*:\\s*\\{[^{}]*\\}", "\"\":0");
    }

    private static @Nullable LoadReport of(String pairs, char separator) {
        double application = 0;
        double cpu = -1;
        double rate = 0;
        double errors = 0;
        String[] all = pairs.split(",", MOST_METRICS + 1);
        if (all.length > MOST_METRICS) {
            return null;
        }
        for (String pair : all) {
            int at = pair.indexOf(separator);
            double value = at < 0 ? -1 : number(pair.substring(at + 1));
            if (value < 0) {
                return null;
            }
            switch (name(pair.substring(0, at))) {
                case "application_utilization" -> application = value;
                case "cpu_utilization" -> cpu = value;
                case "rps_fractional" -> rate = value;
                case "eps" -> errors = value;
                default -> {}
            }
        }
        double used = application > 0 ? application : cpu;
        double failing = rate > 0 ? Math.min(1, errors / rate) : 0;
        return used < 0 ? null : new LoadReport(Math.min(MOST, used + failing));
    }

    private static String name(String text) {
        String name = text.strip();
        return name.length() > 1 && name.startsWith("\"") && name.endsWith("\"")
                ? name.substring(1, name.length() - 1)
                : name;
    }

    /** -1 for what is no number, or none that a load can be. */
    private static double number(String text) {
        try {
            double value = Double.parseDouble(text.strip());
            return value >= 0 && value <= MOST_NUMBER ? value : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}

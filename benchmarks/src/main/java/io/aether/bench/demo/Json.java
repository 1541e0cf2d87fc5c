// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The figures as JSON for machines. */
final class Json {

    private Json() {}

    static String of(Collection<Figures> arms, Map<Fault, Map<Arm, Double>> shares, int seconds, double rate) {
        return "{\"arms\":[%s],\"shares\":{%s},\"seconds\":%d,\"rate\":%s}%n"
                .formatted(
                        arms.stream().map(Json::arm).collect(Collectors.joining(",")),
                        shares.entrySet().stream()
                                .map(entry -> quote(entry.getKey().instance()) + ":" + share(entry.getValue()))
                                .collect(Collectors.joining(",")),
                        seconds,
                        number(rate));
    }

    private static String arm(Figures arm) {
        return "{\"name\":%s,\"requests\":%d,\"errors\":%d,\"p50_ms\":%s,\"p90_ms\":%s,\"p99_ms\":%s,\"p999_ms\":%s}"
                .formatted(
                        quote(arm.arm().label()),
                        arm.requests(),
                        arm.errors(),
                        number(arm.millis(50)),
                        number(arm.millis(90)),
                        number(arm.millis(99)),
                        number(arm.millis(99.9)));
    }

    static String share(Map<Arm, Double> byArm) {
        return byArm.entrySet().stream()
                .map(entry -> quote(entry.getKey().label()) + ":" + number(entry.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    /** A string, whatever it holds: messages of errors hold what others wrote. */
    static String quote(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append("\\u%04x".formatted((int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    /** At most three decimals, always with a point. */
    static String number(double value) {
        return String.format(Locale.ROOT, "%.3f", value).replaceAll("0+$", "").replaceAll("\\.$", ".0");
    }
}

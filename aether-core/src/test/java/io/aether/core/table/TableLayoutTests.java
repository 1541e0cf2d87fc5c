// SPDX-License-Identifier: Apache-2.0
package io.aether.core.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The layout against the C header that defines it. */
class TableLayoutTests {
    private static final Path HEADER = Path.of("../bpf/include/aether_abi.h");
    private static final Pattern STRUCT = Pattern.compile("struct aether_(\\w+) \\{(.*?)\n\\};", Pattern.DOTALL);
    private static final Pattern FIELD = Pattern.compile("__u(\\d+) (\\w+)(?:\\[(\\d+)])?;");
    private static final Pattern DEFINE =
            Pattern.compile("#define AETHER_(\\w+) (0x[0-9a-f]+|\\d+)(?:ULL)?\\b", Pattern.CASE_INSENSITIVE);

    @Test
    void everyFieldOfTheHeaderFileIsWhereWeReadIt() throws Exception {
        Map<String, Integer> offsets = new LinkedHashMap<>();
        Map<String, Integer> groups =
                Map.of("header", 0, "path", 32, "queue", 32, "report", 96, "http", 160, "ecn", 208);
        Matcher structs = STRUCT.matcher(Files.readString(HEADER));
        while (structs.find()) {
            Integer base = groups.get(structs.group(1));
            if (base != null) {
                String prefix = structs.group(1).equals("header") ? "" : structs.group(1) + "_";
                fields(prefix, base, structs.group(2), offsets);
            }
        }
        assertThat(offsets).hasSizeGreaterThan(50);
        for (Map.Entry<String, Integer> entry : offsets.entrySet()) {
            assertThat(constant(entry.getKey()))
                    .as(entry.getKey())
                    .isEqualTo(entry.getValue().longValue());
        }
    }

    private static void fields(String prefix, int base, String body, Map<String, Integer> into) {
        int offset = base;
        Matcher fields = FIELD.matcher(body);
        while (fields.find()) {
            int size = Integer.parseInt(fields.group(1)) / 8;
            offset = (offset + size - 1) / size * size;
            if (!fields.group(2).equals("reserved")) {
                into.put((prefix + fields.group(2)).toUpperCase(Locale.ROOT) + "_OFFSET", offset);
            }
            offset += size * (fields.group(3) == null ? 1 : Integer.parseInt(fields.group(3)));
        }
    }

    @Test
    void constantsAreTheSame() throws Exception {
        Map<String, Long> defined = new LinkedHashMap<>();
        Matcher defines = DEFINE.matcher(Files.readString(HEADER));
        while (defines.find()) {
            defined.put(defines.group(1), Long.decode(defines.group(2)));
        }
        Map<String, String> names = Map.of(
                "EMPTY",
                "KIND_EMPTY",
                "PEER",
                "KIND_PEER",
                "LOCAL",
                "KIND_LOCAL",
                "TOMBSTONE",
                "KIND_TOMBSTONE",
                "CONGESTED",
                "FLAG_CONGESTED",
                "STALLED",
                "FLAG_STALLED",
                "GONE",
                "FLAG_GONE");
        assertThat(defined).containsKeys("MAGIC", "ABI_VERSION", "MAX_PROBE", "FROM_OPTION");
        defined.remove("DEFAULT_SLOTS"); // The writer's choice.
        for (Map.Entry<String, Long> entry : defined.entrySet()) {
            String name = names.getOrDefault(entry.getKey(), entry.getKey());
            assertThat(constant(name)).as(name).isEqualTo(entry.getValue());
        }
    }

    private static long constant(String name) throws ReflectiveOperationException {
        Field field = TableLayout.class.getField(name.equals("READ_RETRIES") ? "READ_RETRIES" : name);
        return ((Number) field.get(null)).longValue();
    }

    /** Expected values computed by {@code aether_hash()} itself. */
    @ParameterizedTest
    @CsvSource({
        "4026531840, 127.0.0.1, 8080, 1, 9489275a06207364",
        "4026532999, 2001:db8::1, 65535, 2, acef1e4051ec93e",
        "-1, ::, 0, 1, cf69fd9af392f488"
    })
    void hashesAsTheWriterDoes(long netns, String literal, int port, int kind, String expected) {
        EndpointAddress address = TableFile.address(literal, port);

        assertThat(TableLayout.hash(netns, address.hi(), address.lo(), port, kind))
                .isEqualTo(Long.parseUnsignedLong(expected, 16));
    }
}

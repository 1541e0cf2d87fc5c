// SPDX-License-Identifier: Apache-2.0
package io.aether.core.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The layout against the C header that defines it. */
class QueueLayoutTests {
    private static final Path HEADER = Path.of("../bpf/include/aether_app.h");
    private static final Pattern STRUCT = Pattern.compile("struct aether_app \\{(.*?)\n\\};", Pattern.DOTALL);
    private static final Pattern FIELD = Pattern.compile("__u(\\d+) (\\w+)(?:\\[(\\w+)])?;");
    private static final Pattern DEFINE = Pattern.compile("#define AETHER_APP_(\\w+) (0x[0-9a-f]+|\\d+)(?:ULL)?\\b");

    @Test
    void everyFieldOfTheHeaderFileIsWhereWeWriteIt() throws Exception {
        Matcher struct = STRUCT.matcher(Files.readString(HEADER));
        assertThat(struct.find()).isTrue();
        Matcher fields = FIELD.matcher(struct.group(1));
        int offset = 0;
        while (fields.find()) {
            int size = Integer.parseInt(fields.group(1)) / 8;
            offset = (offset + size - 1) / size * size;
            String name = fields.group(2).toUpperCase(Locale.ROOT);
            if (!name.equals("RESERVED")) {
                assertThat(constant(name + "_OFFSET")).as(name).isEqualTo(offset);
            }
            offset += size * count(fields.group(3));
        }
        assertThat(offset).isEqualTo(QueueLayout.SIZE);
    }

    private static int count(@Nullable String length) {
        if (length == null) {
            return 1;
        }
        return length.equals("AETHER_APP_PORTS") ? QueueLayout.PORTS : Integer.parseInt(length);
    }

    @Test
    void constantsAreTheSame() throws Exception {
        Matcher defines = DEFINE.matcher(Files.readString(HEADER));
        int found = 0;
        while (defines.find()) {
            assertThat(constant(defines.group(1))).as(defines.group(1)).isEqualTo(Long.decode(defines.group(2)));
            found++;
        }
        assertThat(found).isEqualTo(4);
    }

    private static long constant(String name) throws ReflectiveOperationException {
        Field field = QueueLayout.class.getField(name);
        return ((Number) field.get(null)).longValue();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoOptionsTests {

    @Test
    void theDefaultIsEverything() throws Exception {
        DemoOptions options = DemoOptions.parse();
        assertThat(options.rate()).isEqualTo(10);
        assertThat(options.faults()).containsExactlyInAnyOrder(Fault.values());
        assertThat(options.kernel()).isTrue();
        assertThat(options.keep()).isFalse();
        assertThat(options.json()).isNull();
    }

    @Test
    void everyOptionIsRead() throws Exception {
        DemoOptions options = DemoOptions.parse(
                "--rate", "12.5", "--seconds=90", "--faults", "pause,link", "--json=out.json", "--keep", "--no-kernel");
        assertThat(options)
                .isEqualTo(new DemoOptions(
                        12.5, 90, EnumSet.of(Fault.PAUSE, Fault.LINK), Path.of("out.json"), true, false, false, false));
        assertThat(DemoOptions.parse("--faults", "none").faults()).isEmpty();
        assertThat(DemoOptions.parse("--hedge").hedge()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "--verbose|unknown option '--verbose'",
                "extra|unknown option 'extra'",
                "--rate|--rate needs a value",
                "--rate=|--rate needs a value",
                "--rate=fast|'fast' is not a number from 1 to 100",
                "--rate=0|'0' is not a number",
                "--rate=NaN|'NaN' is not a number",
                "--seconds=5|'5' is not a number from 30",
                "--faults=pause,fire|'fire' is not one of pause,noisy,link,errors,restart",
                "--json|--json needs a value",
            })
    void aWrongCommandLineIsNamed(String argument, String message) {
        assertThatThrownBy(() -> DemoOptions.parse(argument))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(message);
    }

    @Test
    void wrongUsageExitsWith2AndShowsTheOptions() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
        assertThat(Demo.run(stream, stream, "--nope")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("unknown option '--nope'", "usage: aether demo");
    }
}

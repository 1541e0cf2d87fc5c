// SPDX-License-Identifier: Apache-2.0
package io.aether.core.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoadReportTests {

    private static final long MILLI = 1_000_000;
    private static final long NOW = 5_000 * MILLI;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "TEXT cpu_utilization=0.3|0.3",
                "text cpu_utilization=0.3|0.3",
                "TEXT cpu_utilization=0.3,mem_utilization=0.9,named_metrics.queue=12|0.3",
                "TEXT cpu_utilization=0.3,application_utilization=1.2|1.2",
                "TEXT cpu_utilization=0.3,application_utilization=0|0.3",
                "TEXT cpu_utilization=0.5,rps_fractional=100,eps=20|0.7",
                "TEXT cpu_utilization=0.5,rps_fractional=1,eps=20|1.5",
                "TEXT cpu_utilization=900|10",
                "JSON {\"cpu_utilization\": 0.3, \"mem_utilization\": 0.8}|0.3",
                "JSON {\"cpu_utilization\":0.3,\"named_metrics\":{\"cpu_utilization\":9,\"b\":2},\"eps\":0}|0.3",
            })
    void isReadAsServersWriteIt(String header, double utilization) {
        LoadReport report = LoadReport.parse(header);
        assertThat(report).isNotNull();
        assertThat(report.utilization()).isCloseTo(utilization, within(1e-9));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "TEXT",
                "TEXT ",
                "TEXT cpu_utilization",
                "TEXT cpu_utilization=",
                "TEXT cpu_utilization=much",
                "TEXT cpu_utilization=-1",
                "TEXT cpu_utilization=NaN",
                "TEXT cpu_utilization=Infinity",
                "TEXT cpu_utilization=1e300",
                "TEXT cpu_utilization=0.3,,",
                "TEXT mem_utilization=0.3",
                "BIN CgAAAAAAAA==",
                "JSON",
                "JSON {",
                "JSON {}",
                "JSON {{{{{{{{{{{{{{}",
                "JSON [0.3]",
                "cpu_utilization=0.3",
            })
    void whatMakesNoSenseIsVoid(String header) {
        assertThat(LoadReport.parse(header)).isNull();
    }

    @Test
    void whatIsTooMuchIsVoid() {
        assertThat(LoadReport.parse("TEXT cpu_utilization=0.3," + "x".repeat(3000) + "=1"))
                .isNull();
        assertThat(LoadReport.parse("TEXT cpu_utilization=0.3" + ",a=1".repeat(100)))
                .isNull();
        assertThat(LoadReport.parse("JSON " + "{\"a\":".repeat(300) + "}".repeat(300)))
                .isNull();
    }

    @Test
    void aHintIsBoundedAndFades() {
        assertThat(LoadHint.factor(0, NOW)).isEqualTo(1);
        assertThat(LoadHint.factor(Heard.of(LoadWord.VOID, 0.5, NOW), NOW)).isEqualTo(1);
        assertThat(LoadHint.factor(Heard.of(LoadWord.VOID, 0.9, NOW), NOW)).isCloseTo(1.2, within(1e-6));
        long most = Heard.of(LoadWord.VOID, 10, NOW);
        assertThat(LoadHint.factor(most, NOW)).isEqualTo(1.5);
        assertThat(LoadHint.factor(most, NOW + 90 * MILLI)).isEqualTo(1.5);
        assertThat(LoadHint.factor(most, NOW + 550 * MILLI)).isBetween(1.2, 1.3);
        assertThat(LoadHint.factor(most, NOW + 1100 * MILLI)).isEqualTo(1);
        assertThat(LoadHint.factor(Heard.of(LoadWord.VOID, 0, NOW), NOW)).isEqualTo(1);
    }
}

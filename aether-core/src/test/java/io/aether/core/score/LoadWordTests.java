// SPDX-License-Identifier: Apache-2.0
package io.aether.core.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoadWordTests {
    private static final long MILLI = 1_000_000;
    private static final long NOW = 123_456 * MILLI;

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 9500000", "12, 1000", "1000000, 3600000000000"})
    void whatIsWrittenIsRead(int inFlight, double nanos) {
        long word = LoadWord.read(LoadWord.write(inFlight, nanos));
        assertThat(LoadWord.inFlight(word)).isEqualTo(inFlight);
        assertThat(LoadWord.nanos(word)).isEqualTo(nanos);
    }

    @Test
    void itIsShortAndBounded() {
        assertThat(LoadWord.write(12, 9_500_400)).isEqualTo("12 9500");
        assertThat(LoadWord.write(-1, -5)).isEqualTo("0 0");
        assertThat(LoadWord.write(Integer.MAX_VALUE, 1e300)).isEqualTo("1000000 3600000000");
        assertThat(LoadWord.write(1, Double.NaN)).isEqualTo("1 0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "1",
                "1 ",
                " 1",
                "1  2",
                "1 2 ",
                "1 2 3",
                "-1 2",
                "1 -2",
                "+1 2",
                "1.5 2",
                "1 2e3",
                "one 2",
                "1\t2",
                "1,2",
                "1000001 2",
                "1 3600000001",
                "00000000001 2",
                "1 99999999999999999999",
                "1 \u0663"
            })
    void whatMakesNoSenseIsVoid(String header) {
        assertThat(LoadWord.read(header)).isEqualTo(LoadWord.VOID);
    }

    @Test
    void whatWasHeardIsKeptWithItsAge() {
        long heard = Heard.of(LoadWord.read("12 9500"), 0.95, NOW);
        assertThat(Heard.tellsInFlight(heard)).isTrue();
        assertThat(Heard.inFlight(heard)).isEqualTo(12);
        assertThat(Heard.nanos(heard)).isCloseTo(9.5e6, Percentage.withPercentage(0.5));
        assertThat(Heard.utilization(heard)).isCloseTo(0.95, within(1e-9));
        assertThat(Heard.ageNanos(heard, NOW)).isZero();
        assertThat(Heard.ageNanos(heard, NOW - 50 * MILLI)).isZero();
        assertThat(Heard.ageNanos(heard, NOW + 1000 * MILLI)).isCloseTo(1e9, within(1.1e6));
        assertThat(Heard.ageNanos(heard, NOW + 3_600_000 * MILLI)).isCloseTo(3.6e12, within(1.1e6));
    }

    @Test
    void whatWasNotSaidIsNotThere() {
        assertThat(Heard.tellsInFlight(0)).isFalse();
        long used = Heard.of(LoadWord.VOID, 0.5, NOW);
        assertThat(Heard.tellsInFlight(used)).isFalse();
        assertThat(Heard.nanos(used)).isZero();
        assertThat(Heard.utilization(used)).isEqualTo(0.5);
        long idle = Heard.of(LoadWord.read("0 0"), 0, NOW);
        assertThat(Heard.tellsInFlight(idle)).isTrue();
        assertThat(Heard.inFlight(idle)).isZero();
        assertThat(Heard.utilization(idle)).isZero();
    }

    @Test
    void theMostThereCanBeIsKept() {
        long most = Heard.of(LoadWord.read("1000000 3600000000"), LoadReport.MOST, NOW);
        assertThat(Heard.inFlight(most)).isCloseTo(1e6, Percentage.withPercentage(0.5));
        assertThat(Heard.nanos(most)).isCloseTo(3.6e12, Percentage.withPercentage(0.5));
        assertThat(Heard.utilization(most)).isEqualTo(LoadReport.MOST);
    }

    @Test
    void anAnswersTimeFollowsWithinSomeAnswers() {
        AnswerTime time = new AnswerTime();
        assertThat(time.with(10 * MILLI, NOW)).isEqualTo(10e6);
        time.observe(10 * MILLI, NOW);
        assertThat(times(time, 8, 30 * MILLI)).isBetween(14e6, 16e6);
        assertThat(times(time, 100, 30 * MILLI)).isCloseTo(30e6, within(1e6));
    }

    /** Of so many more at once, and one that is being answered. */
    private static double times(AnswerTime time, int count, long nanos) {
        for (int i = 0; i < count; i++) {
            time.observe(nanos, NOW);
        }
        return time.with(nanos, NOW);
    }

    /** Four clients of a server that recovered try it every six seconds between them. */
    @Test
    void aServerThatIsTriedNowAndThenTellsOfItsPresent() {
        AnswerTime time = new AnswerTime();
        times(time, 100, 100 * MILLI);
        long now = NOW;
        for (int i = 0; i < 4; i++) {
            now += 6_000 * MILLI;
            time.observe(10 * MILLI, now);
        }
        assertThat(time.with(10 * MILLI, now)).isLessThan(1.5 * 20 * MILLI);
        assertThat(time.with(10 * MILLI, now + 60_000 * MILLI)).isLessThan(12e6);
    }
}

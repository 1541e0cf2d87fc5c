// SPDX-License-Identifier: Apache-2.0
package io.aether.core.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class LimitLawTests {
    private static final double SECONDS = 0.05;
    private static final double[] ODD = {
        0, -1, 1, 1e-300, 1e300, Double.MAX_VALUE, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY
    };

    private final LimitLaw law = new LimitLaw(3);
    private final Window window = new Window();

    private double close(double marked, double clean, double refused, double answers) {
        window.clear();
        window.seconds = SECONDS;
        window.marked = marked;
        window.clean = clean;
        window.refused = refused;
        window.answers = answers;
        window.sent = answers + refused;
        return law.close(window, true);
    }

    private void deliver(double perSecond, int windows) {
        for (int i = 0; i < windows; i++) {
            close(0, 2 * perSecond * SECONDS, 0, perSecond * SECONDS);
        }
    }

    @Test
    void staysOpenWhileNothingIsMarked() {
        deliver(200, 100);
        assertThat(law.rate()).isEqualTo(LimitLaw.OPEN);
        assertThat(law.delivered()).isCloseTo(200, within(1.0));
    }

    @Test
    void oneRefusalClosesAtWhatIsDelivered() {
        deliver(200, 100);
        double rate = close(0, 20, 1, 10);
        double f = 1.0 / 21;
        double expected = law.delivered() * (1 + 0.1 * (1 - f)) * (1 - 0.2 * f) + LimitLaw.addend(law.delivered());
        assertThat(rate).isCloseTo(expected, within(1e-6));
    }

    @Test
    void threeMarksCloseTwoDoNot() {
        deliver(200, 100);
        assertThat(close(2, 18, 0, 10)).isEqualTo(LimitLaw.OPEN);
        assertThat(close(3, 17, 0, 10)).isCloseTo(law.delivered() * 1.1, within(1.0));
    }

    @Test
    void withoutPacketsTheServersWordStandsForMarks() {
        for (int i = 0; i < 100; i++) {
            close(0, 0, 0, 10);
        }
        assertThat(law.rate()).isEqualTo(LimitLaw.OPEN);
        for (int i = 0; i < 100; i++) {
            pressed(10, 10 * Pressure.mark(255));
        }
        assertThat(law.fraction()).isCloseTo(1, within(1e-9));
        assertThat(law.rate()).isLessThan(1.02 * 0.8 * law.delivered());
        assertThat(Pressure.mark(105)).as("where the law rests").isCloseTo(0.32, within(0.01));
        assertThat(Pressure.mark(-1)).isZero();
        assertThat(Pressure.mark(Integer.MAX_VALUE)).isEqualTo(1);
    }

    @Test
    void theServersWordCountsForNothingWhilePacketsTell() {
        deliver(200, 100);
        for (int i = 0; i < 19; i++) {
            pressed(10, 10);
        }
        assertThat(law.rate()).as("packets were heard less than a second ago").isEqualTo(LimitLaw.OPEN);
        pressed(10, 10);
        assertThat(law.rate()).isNotEqualTo(LimitLaw.OPEN);
    }

    private void pressed(double answers, double marks) {
        window.clear();
        window.seconds = SECONDS;
        window.answers = answers;
        window.sent = answers;
        window.pressed = marks;
        law.close(window, true);
    }

    @Test
    void fewMarksAmongManyPacketsAreNoise() {
        deliver(5000, 100);
        assertThat(close(20, 480, 0, 250)).isEqualTo(LimitLaw.OPEN);
    }

    @Test
    void restsWhereAThirdIsMarked() {
        deliver(200, 100);
        // At F = 0.32 the slope is 1: what is delivered is what may be sent, but for the addend's share.
        double f = 0.32;
        assertThat((1 + 0.1 * (1 - f)) * (1 - 0.2 * f)).isCloseTo(1, within(0.001));
        close(10, 10, 0, 10);
        for (int i = 0; i < 200; i++) {
            double packets = 2 * 200 * SECONDS;
            close(f * packets, (1 - f) * packets, 0, 200 * SECONDS);
        }
        assertThat(law.rate()).isCloseTo(200 + LimitLaw.addend(200) * (1 - f), within(1.0));
    }

    @Test
    void doesNotCutOnWhileAQueueDrains() {
        deliver(200, 100);
        for (int i = 0; i < 40; i++) {
            close(20, 0, 0, 10);
        }
        assertThat(law.rate()).as("0.8 of what is delivered, not less and less").isCloseTo(160, within(2.0));
    }

    @Test
    void halvesAtMostAndGrowsByATenthAtMost() {
        deliver(1000, 100);
        double before = close(0, 0, 50, 50);
        double after = close(0, 0, 100, 0);
        assertThat(after).isGreaterThanOrEqualTo(before / 2);
        double most = after * 1.1 + LimitLaw.addend(after);
        assertThat(close(1, 9, 0, 1000)).isLessThanOrEqualTo(most);
    }

    @Test
    void neverFallsBelowOnePerSecond() {
        close(0, 0, 1, 0);
        for (int i = 0; i < 100; i++) {
            close(0, 0, 1, 0);
        }
        assertThat(law.rate()).isEqualTo(LimitLaw.LEAST_RATE);
    }

    @Test
    void holdsWhileNothingIsHeardAndSomethingIsOnItsWay() {
        deliver(200, 100);
        double before = close(10, 10, 0, 10);
        window.clear();
        window.seconds = SECONDS;
        window.inFlight = true;
        assertThat(law.close(window, true)).isEqualTo(before);
        assertThat(law.delivered()).as("what is delivered is known better").isLessThan(before);
    }

    @Test
    void releasesAfterThreeCalmSecondsAndForgetsF() {
        deliver(200, 100);
        close(10, 10, 0, 10);
        int windows = 0;
        while (law.rate() != LimitLaw.OPEN && windows++ < 1000) {
            deliver(200, 1);
        }
        assertThat(windows * SECONDS).isBetween(3.0, 3.2);
        assertThat(law.fraction()).isZero();
    }

    @Test
    void doesNotReleaseWhileItHoldsBack() {
        deliver(200, 100);
        close(10, 10, 0, 10);
        for (int i = 0; i < 200; i++) {
            window.clear();
            window.seconds = SECONDS;
            window.clean = 20;
            window.answers = 10;
            window.heldBack = 1;
            law.close(window, true);
        }
        assertThat(law.rate()).isNotEqualTo(LimitLaw.OPEN);
    }

    @Test
    void forgetsByTimeSoThatARareCallerRecovers() {
        close(0, 0, 1, 0);
        assertThat(law.fraction()).isEqualTo(1);
        for (int i = 0; i < 70; i++) {
            close(0, 0, 0, 0);
        }
        assertThat(law.fraction()).as("after 3.5 s without a word").isLessThan(0.05);
    }

    @Test
    void withoutEcnAnAnswerCountsAsUnmarked() {
        for (int i = 0; i < 100; i++) {
            close(0, 0, 0, 10);
        }
        close(0, 0, 1, 9);
        assertThat(law.fraction()).isCloseTo(0.1, within(1e-9));
    }

    @Test
    void onlyWatchesUntilItMayEngage() {
        window.seconds = SECONDS;
        window.refused = 100;
        assertThat(law.close(window, false)).isEqualTo(LimitLaw.OPEN);
    }

    @Test
    void everyNumberStaysFiniteWhateverTheWindowsHold() {
        Random random = new Random(1);
        for (int i = 0; i < 100_000; i++) {
            window.seconds = odd(random);
            window.marked = odd(random);
            window.clean = odd(random);
            window.refused = odd(random);
            window.answers = odd(random);
            window.sent = odd(random);
            window.heldBack = odd(random);
            window.inFlight = random.nextBoolean();
            double rate = law.close(window, random.nextInt(10) > 0);
            assertThat(rate == LimitLaw.OPEN || rate >= LimitLaw.LEAST_RATE && rate <= LimitLaw.MOST_RATE)
                    .isTrue();
            assertThat(law.delivered()).isBetween(0.0, LimitLaw.MOST_RATE);
            assertThat(law.fraction()).isBetween(0.0, 1.0);
        }
    }

    private static double odd(Random random) {
        return random.nextBoolean() ? 100 * random.nextDouble() : ODD[random.nextInt(ODD.length)];
    }
}

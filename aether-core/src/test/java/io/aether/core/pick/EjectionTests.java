// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.table.TableLayout;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who has failed is left alone for a time, and let in again. */
class EjectionTests extends FleetFixture {

    @Test
    void aRefusedConnectionEjectsForATimeThatDoublesAndOneRequestDecides() {
        Fleet fleet = fleet(4);
        Instance down = fleet.instances().get(0);
        for (long time : new long[] {500, 1000, 2000, 4000, 8000, 16000, 30000, 30000}) {
            long start = down.start();
            down.refuse(start);
            down.end();
            now += (time - 1) * MILLI;
            assertThat(kind(fleet, down)).as("after %s ms", time - 1).isEqualTo(InstanceClass.EJECTED);
            now += MILLI;
            assertThat(kind(fleet, down)).as("after %s ms", time).isNotEqualTo(InstanceClass.EJECTED);
        }
        long probe = down.start();
        assertThat(kind(fleet, down)).isEqualTo(InstanceClass.EJECTED);
        down.firstByte(probe, Outcome.SUCCESS);
        down.end();
        IntStream.range(0, 5).forEach(i -> answer(down, MILLI));
        down.start();
        assertThat(kind(fleet, down)).isEqualTo(InstanceClass.COLD);
    }

    @Test
    void neverEjectsTheLastHalf() {
        for (int count = 1; count <= 9; count++) {
            Fleet fleet = fleet(count);
            fleet.instances().forEach(instance -> {
                instance.refuse(instance.start());
                instance.end();
            });
            long ejected = fleet.instances().stream()
                    .filter(instance -> kind(fleet, instance) == InstanceClass.EJECTED)
                    .count();
            assertThat(ejected).isEqualTo(count / 2);
            fleet.update(keys((count + 1) / 2));
            assertThat(fleet.instances().stream()
                            .filter(i -> i.standing().ejectedUntil() > now)
                            .count())
                    .isLessThanOrEqualTo((count + 1) / 4);
        }
    }

    @Test
    void failuresInARowEject() {
        Fleet fleet = fleet(4);
        Instance broken = fleet.instances().get(0);
        for (int i = 0; i < 4; i++) {
            broken.fail(broken.start(), 0);
            broken.end();
        }
        assertThat(kind(fleet, broken)).isNotEqualTo(InstanceClass.EJECTED);
        broken.firstByte(broken.start(), Outcome.FAILURE);
        broken.end();

        assertThat(kind(fleet, broken)).isEqualTo(InstanceClass.EJECTED);
        assertThat(broken.failures()).isEqualTo(5);
        assertThat(broken.picks()).isEqualTo(5);
    }

    @Test
    void sparesAServerForAsLongAsItAsks() {
        long previous = 0;
        for (long ask : new long[] {0, SECOND, 10 * SECOND, 100 * SECOND}) {
            Fleet fleet = fleet(4);
            Instance spared = fleet.instances().get(0);
            spared.fail(spared.start(), ask);
            spared.end();
            now += ask;
            assertThat(picks(fleet, spared)).as("at %s", ask).isZero();
            assertThat(spared.standing().penaltyNanos(now)).isGreaterThanOrEqualTo(previous);
            previous = (long) spared.standing().penaltyNanos(now);
            now += 60 * SECOND;
            assertThat(picks(fleet, spared)).as("after %s", ask).isPositive();
        }
    }

    @Test
    void whoComesBackAfterBeingGoneIsTreatedAsNew() {
        boolean[] gone = {false};
        Fleet fleet = fleet(3, (instance, into) -> {
            into.reset();
            into.reportTimeNanos = now;
            into.flags = gone[0] && instance.key().port() == 8000 ? TableLayout.FLAG_GONE : 0;
            return true;
        });
        fleet.instances().forEach(instance -> IntStream.range(0, 20).forEach(i -> answer(instance, 5 * MILLI)));
        Instance restarted = fleet.instances().get(0);
        gone[0] = true;
        assertThat(fleet.classOf(restarted, Signals.KERNEL)).isEqualTo(InstanceClass.EJECTED);

        gone[0] = false;
        now += 300 * MILLI;
        assertThat(fleet.classOf(restarted, Signals.KERNEL)).isEqualTo(InstanceClass.EJECTED);
        now += 300 * MILLI;
        assertThat(fleet.classOf(restarted, Signals.KERNEL)).isEqualTo(InstanceClass.COLD);
        long probe = restarted.start();
        assertThat(fleet.classOf(restarted, Signals.KERNEL)).isEqualTo(InstanceClass.EJECTED);
        restarted.firstByte(probe, Outcome.SUCCESS);
        restarted.end();
        restarted.start();
        restarted.start();
        assertThat(fleet.classOf(restarted, Signals.KERNEL)).isEqualTo(InstanceClass.HOT);
    }
}

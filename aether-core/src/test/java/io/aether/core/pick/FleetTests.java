// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.table.EndpointHealth;
import io.aether.core.table.TableFile;
import io.aether.core.table.TableLayout;
import io.aether.core.table.TableSource;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FleetTests extends FleetFixture {

    @Test
    void picksNobodyFromNobodyAndTheOnlyOneFromOne() {
        assertThat(fleet(0).pick(Signals.KERNEL)).isNull();
        assertThat(fleet(0).decide(Signals.KERNEL, null)).isNull();
        Fleet one = fleet(1);
        Instance only = one.instances().get(0);
        only.refuse(only.start());

        assertThat(one.pick(Signals.KERNEL)).isSameAs(only);
        assertThat(one.pick(Signals.KERNEL, only)).isSameAs(only);
        assertThat(kind(one, only)).isNotEqualTo(InstanceClass.EJECTED);
    }

    @Test
    void avoidsTheExcludedOneInFleetsOfAnySize() {
        for (int count : new int[] {2, 3, 4, 5, 6, 50}) {
            Fleet fleet = fleet(count);
            Instance excluded = fleet.instances().get(count / 2);
            for (int i = 0; i < 300; i++) {
                assertThat(fleet.pick(Signals.APPLICATION, excluded))
                        .isNotNull()
                        .isNotSameAs(excluded);
            }
        }
    }

    @Test
    void keepsWhatIsKnownOfInstancesThatStay() {
        Fleet fleet = fleet(3);
        Instance kept = fleet.instances().get(2);
        fleet.update(Arrays.asList(kept.key(), kept.key(), new InstanceKey("s", "http", "10.0.0.9", 1)));

        assertThat(fleet.instances()).hasSize(2).contains(kept);
        assertThat(fleet.find(kept.key())).isSameAs(kept);
        assertThat(fleet.find(keys(1).get(0))).isNull();
    }

    @Test
    void prefersTheOneWithLessInFlight() {
        Fleet fleet = fleet(3);
        fleet.instances().forEach(instance -> IntStream.range(0, 20).forEach(i -> answer(instance, MILLI)));
        Instance busy = fleet.instances().get(1);
        busy.start();

        assertThat(picks(fleet, busy)).isZero();
        busy.end();
        now += MILLI;
        fleet.instances().stream().filter(other -> other != busy).forEach(other -> {
            other.start();
            other.end();
        });
        assertThat(picks(fleet, busy)).isPositive();
        assertThat(busy.inFlight()).isZero();
    }

    @Test
    void whoWaitsForAnAnswerTooLongIsAvoidedBeforeItComes() {
        Fleet fleet = fleet(3);
        fleet.instances().forEach(instance -> IntStream.range(0, 20).forEach(i -> answer(instance, MILLI)));
        Instance hanging = fleet.instances().get(0);
        long start = hanging.start();
        IntStream.range(1, 3).forEach(i -> fleet.instances().get(i).start());
        assertThat(picks(fleet, hanging)).isPositive();
        now += 20 * MILLI;
        fleet.instances().stream().skip(1).forEach(other -> {
            other.firstByte(now - MILLI, Outcome.SUCCESS);
        });

        assertThat(picks(fleet, hanging)).isZero();
        hanging.firstByte(start, Outcome.IGNORED); // A long poll: what it says of the instance is nothing.
        assertThat(picks(fleet, hanging)).isPositive();
    }

    @Test
    void aCancelledWaitCountsWhenItWasLong() {
        Fleet fleet = fleet(3);
        fleet.instances().forEach(instance -> IntStream.range(0, 20).forEach(i -> answer(instance, MILLI)));
        Instance slow = fleet.instances().get(0);
        long start = slow.start();
        now += SECOND;
        slow.firstByte(start, Outcome.CANCELLED);
        slow.end();

        assertThat(picks(fleet, slow)).isZero();
    }

    @Test
    void countsStayRightWhateverTheCallerForgets() {
        Instance instance = fleet(1).instances().get(0);
        instance.start();
        instance.end();
        now += SECOND;
        assertThat(instance.standstillNanos(now)).isZero();
        instance.end();
        instance.firstByte(now, Outcome.SUCCESS);
        assertThat(instance.inFlight()).isZero();
    }

    @Test
    void explainsItself() {
        Fleet fleet = fleet(4, (instance, into) -> {
            into.reset();
            into.reportTimeNanos = now - 5 * MILLI;
            into.flags = instance.key().port() == 8000 ? TableLayout.FLAG_STALLED : 0;
            return true;
        });
        Decision decision = Objects.requireNonNull(fleet.decide(Signals.KERNEL, null));
        assertThat(decision.candidates()).hasSize(4).anyMatch(c -> c.instance() == decision.chosen());
        assertThat(decision.reason()).startsWith("lowest cost");

        InstanceSnapshot stalled = fleet.snapshot(Signals.KERNEL).get(0);
        assertThat(stalled.instanceClass()).isEqualTo(InstanceClass.DEGRADED);
        assertThat(stalled.signals()).contains(new InstanceSnapshot.SignalValue("stalled", 1, 5));
        assertThat(fleet.snapshot(Signals.APPLICATION).get(0).instanceClass()).isEqualTo(InstanceClass.COLD);
    }

    @Test
    void readsTheHealthTableAndTheOneAfterIt(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("health");
        EndpointHealth health = new EndpointHealth();
        health.flags = TableLayout.FLAG_STALLED;
        health.reportTimeNanos = now;
        TableFile.create(file, 64, now).put(3, TableFile.address("10.0.0.1", 8001), TableLayout.KIND_PEER, health);
        TableSource source = new TableSource(file, () -> now, 3);
        source.refresh();
        Fleet fleet = fleet(3, KernelView.of(source, Resolver.LITERALS_ONLY));
        Instance stalled = fleet.instances().get(1);
        assertThat(fleet.classOf(stalled, Signals.KERNEL)).isEqualTo(InstanceClass.DEGRADED);

        Path fresh = directory.resolve("fresh");
        TableFile next = TableFile.create(fresh, 4096, now);
        health.flags = TableLayout.FLAG_GONE;
        next.put(3, TableFile.address("10.0.0.1", 8001), TableLayout.KIND_PEER, health);
        java.nio.file.Files.move(fresh, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        source.refresh();
        now += MILLI;
        assertThat(fleet.classOf(stalled, Signals.KERNEL)).isEqualTo(InstanceClass.EJECTED);

        now += 2 * SECOND;
        source.refresh();
        assertThat(fleet.classOf(stalled, Signals.KERNEL)).isEqualTo(InstanceClass.COLD);
    }
}

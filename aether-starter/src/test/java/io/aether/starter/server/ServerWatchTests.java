// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.pick.Mode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ServerWatchTests {

    private final FakeClock clock = new FakeClock();
    private final ServerLoad load = new ServerLoad();
    private final CpuQueue cpu = new CpuQueue(load, () -> 0, () -> 0, 2);
    private final OwnQueue queue = new OwnQueue(load, cpu, clock);
    private final ServerGate gate = new ServerGate(load, Mode.OFF, 200e6);
    private final ServerWatch watch =
            new ServerWatch(load, queue, cpu, gate, new QueueReporter(Path.of("/nowhere"), clock), clock);
    private int waiting;

    private void serve(long millis) {
        ServerRequest request = new ServerRequest(load, clock);
        request.begin();
        clock.pass(millis);
        request.end(true);
    }

    @Test
    void timesInAQueueAreNoServiceTimesEvenWhileNothingIsRefused() {
        queue.workedBy(new Workers() {
            @Override
            public int waiting() {
                return waiting;
            }

            @Override
            public int most() {
                return 1;
            }
        });
        for (int i = 0; i <= ServerLoad.COLD; i++) {
            serve(10);
        }
        load.held(10_000_000);
        waiting = 50;
        watch.tick();
        serve(500);
        assertThat(load.calmTime().nanos()).isEqualTo(10e6);
        waiting = 0;
        watch.tick();
        serve(20);
        assertThat(load.calmTime().nanos()).isGreaterThan(10e6).isLessThan(11e6);
    }
}

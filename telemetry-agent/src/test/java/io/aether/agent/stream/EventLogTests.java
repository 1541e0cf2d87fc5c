// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EventLogTests {
    private static final long LONG = 10_000;

    private final EventLog log = new EventLog(4);

    private void add(int count) {
        for (int i = 0; i < count; i++) {
            log.add("stalled", Long.toString(log.last() + 1));
        }
    }

    @Test
    void givesWhatCameAfterAnEvent() throws Exception {
        add(3);

        assertThat(log.after(1, LONG).events()).extracting(StreamEvent::data).containsExactly("2", "3");
        assertThat(log.after(1, LONG).lost()).isZero();
        assertThat(log.after(3, 0).events()).isEmpty();
    }

    @Test
    void tellsHowManyAreNotKeptAnyMore() throws Exception {
        add(10);

        EventLog.Batch batch = log.after(2, LONG);

        assertThat(batch.lost()).isEqualTo(4);
        assertThat(batch.events()).extracting(StreamEvent::sequence).containsExactly(7L, 8L, 9L, 10L);
    }

    @Test
    void wakesWhoWaits() throws Exception {
        CompletableFuture<EventLog.Batch> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return log.after(0, LONG);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });

        add(1);

        assertThat(waiting.get(5, TimeUnit.SECONDS).events()).hasSize(1);
    }

    @Test
    void givesTheRestAndEndsWhenClosed() throws Exception {
        add(1);
        log.close();

        assertThat(log.after(0, LONG).closed()).isTrue();
        assertThat(log.after(0, LONG).events()).hasSize(1);
        assertThat(log.after(1, LONG).closed()).isTrue();
    }
}

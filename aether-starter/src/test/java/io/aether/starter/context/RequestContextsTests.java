// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.limit.Priority;
import io.micrometer.context.ContextExecutorService;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ContextSnapshotFactory;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

@SuppressWarnings("try") // Scopes are there to be closed.
class RequestContextsTests {

    private static final RequestContext BULK = RequestContext.NONE.withPriority(Priority.BULK);

    @AfterEach
    void nothingIsLeftOnTheThread() {
        assertThat(RequestContexts.onThread()).isNull();
    }

    @Test
    void scopesNest() {
        RequestContext late = BULK.withDeadline(5);
        try (var outer = RequestContexts.open(BULK)) {
            try (var inner = RequestContexts.open(late)) {
                assertThat(RequestContexts.current()).isSameAs(late);
            }
            assertThat(RequestContexts.current()).isSameAs(BULK);
        }
        assertThat(RequestContexts.current()).isSameAs(RequestContext.NONE);
    }

    @Test
    void theEarlierDeadlineCounts() {
        RequestContext late = BULK.withDeadline(500);
        assertThat(late.withDeadline(700)).isSameAs(late);
        assertThat(late.withDeadline(300).deadlineNanos()).isEqualTo(300);
        assertThat(late.withDeadline(RequestContext.NO_DEADLINE)).isSameAs(late);
    }

    @Test
    void otherThreadsInheritNothing() throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try (var scope = RequestContexts.open(BULK)) {
            assertThat(other.submit(() -> RequestContexts.current()).get()).isSameAs(RequestContext.NONE);
        } finally {
            other.shutdown();
        }
    }

    @Test
    void snapshotsCarryIt() throws Exception {
        ContextSnapshotFactory snapshots = ContextSnapshotFactory.builder()
                .contextRegistry(ContextRegistry.getInstance())
                .build();
        ExecutorService other = ContextExecutorService.wrap(Executors.newSingleThreadExecutor(), snapshots::captureAll);
        try (var scope = RequestContexts.open(BULK)) {
            assertThat(other.submit(() -> RequestContexts.current()).get()).isSameAs(BULK);
        }
        try {
            assertThat(other.submit(() -> RequestContexts.current()).get()).isSameAs(RequestContext.NONE);
        } finally {
            other.shutdown();
        }
    }

    @Test
    void springsTaskDecoratorCarriesIt() throws Exception {
        ThreadPoolTaskExecutor pool = new ThreadPoolTaskExecutor();
        pool.setCorePoolSize(1);
        pool.setTaskDecorator(new ContextPropagatingTaskDecorator());
        pool.initialize();
        try (var scope = RequestContexts.open(BULK)) {
            assertThat(pool.submit(() -> RequestContexts.current()).get()).isSameAs(BULK);
        } finally {
            pool.shutdown();
        }
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void virtualThreadsCarryIt() throws Exception {
        try (SimpleAsyncTaskExecutor virtual = new SimpleAsyncTaskExecutor();
                var scope = RequestContexts.open(BULK)) {
            virtual.setVirtualThreads(true);
            virtual.setTaskDecorator(new ContextPropagatingTaskDecorator());
            assertThat(virtual.submit(() -> RequestContexts.current()).get()).isSameAs(BULK);
        }
    }

    @Test
    void chainsCarryItAcrossSchedulers() {
        Mono<RequestContext> seen = Mono.delay(Duration.ofMillis(1), Schedulers.parallel())
                .flatMap(tick -> Mono.deferContextual(chain -> Mono.just(RequestContexts.current(chain))));
        assertThat(seen.contextWrite(chain -> RequestContexts.write(chain, BULK))
                        .block())
                .isSameAs(BULK);
        assertThat(seen.block()).isSameAs(RequestContext.NONE);
    }

    @Test
    void aChainWithoutOneTakesThatOfTheThreadThatSubscribes() {
        try (var scope = RequestContexts.open(BULK)) {
            assertThat(Mono.deferContextual(chain -> Mono.just(RequestContexts.current(chain)))
                            .block())
                    .isSameAs(BULK);
        }
    }

    @Test
    void automaticPropagationPutsAChainsContextOnThreads() {
        Hooks.enableAutomaticContextPropagation();
        try {
            RequestContext seen = Mono.just(1)
                    .publishOn(Schedulers.boundedElastic())
                    .map(one -> RequestContexts.current())
                    .contextWrite(chain -> RequestContexts.write(chain, BULK))
                    .block();
            assertThat(seen).isSameAs(BULK);
        } finally {
            Hooks.disableAutomaticContextPropagation();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.hedge;

import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.core.task.AsyncTaskExecutor;

/**
 * A call of at most two attempts that block. Both run on threads of Aether's, for a thread that waits inside of an HTTP client
 * cannot be called back when the other attempt is answered; the caller's waits for whichever comes first. A cancelled attempt is
 * interrupted: clients that heed it end the request, others bring an answer that is discarded.
 *
 * @param <T> an answer, whose body has not been read
 */
public final class BlockingHedge<T> extends Race<T> {

    /** One attempt. */
    @FunctionalInterface
    public interface Attempt<T> {
        /**
         * Makes the attempt; blocks.
         *
         * @param lost whether nobody waits for it any more: an error is then of our own making
         */
        T run(BooleanSupplier lost) throws Exception;
    }

    private final AsyncTaskExecutor threads;
    private final Attempt<T> first;
    private final Attempt<T> second;
    private final CompletableFuture<Outcome<T>> result = new CompletableFuture<>();
    private final AtomicReferenceArray<@Nullable Future<?>> attempts = new AtomicReferenceArray<>(2);

    /**
     * Creates the call, to be run once.
     *
     * @param failure whether an answer says that the server failed
     * @param discard lets go of an answer that nobody will read
     */
    public BlockingHedge(
            Hedge hedge,
            AsyncTaskExecutor threads,
            Attempt<T> first,
            Attempt<T> second,
            Predicate<T> failure,
            Consumer<T> discard) {
        super(hedge, failure, discard);
        this.threads = threads;
        this.first = first;
        this.second = second;
    }

    /** Makes the call; blocks until it has an answer or has failed. */
    public T run() throws Exception {
        begin();
        try {
            Outcome<T> outcome = result.get();
            if (outcome.answer() != null) {
                return outcome.answer();
            }
            if (outcome.error() instanceof Error error) {
                throw error;
            }
            throw outcome.error() instanceof Exception error ? error : new IllegalStateException("no answer");
        } catch (InterruptedException e) {
            abandon();
            CompletableFuture<Void> unused = result.thenAccept(this::letGo); // It may come at the same moment.
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException("interrupted while waiting for an answer");
            interrupted.initCause(e);
            throw interrupted;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    void send(int side) {
        Future<?> attempt = threads.submit(() -> attempt(side));
        attempts.set(side, attempt);
        if (hasLost(side)) {
            attempt.cancel(true);
        }
    }

    private void attempt(int side) {
        T answer;
        try {
            answer = (side == FIRST ? first : second).run(() -> hasLost(side));
        } catch (Throwable e) {
            failed(side, e);
            return;
        }
        answered(side, answer);
    }

    @Override
    void cancel(int side) {
        Future<?> attempt = attempts.get(side);
        if (attempt != null) {
            attempt.cancel(true);
        }
    }

    @Override
    void hand(int side, Outcome<T> outcome) {
        result.complete(outcome);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.hedge;

import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/**
 * A call of at most two attempts as one {@link Mono}. Cancelling it cancels both, and after an answer the attempt that brought it,
 * as if there had been no other.
 *
 * @param <T> an answer, whose body has not been read
 */
public final class HedgedMono<T> extends Mono<T> {

    private final Hedge hedge;
    private final Mono<T> first;
    private final Supplier<Mono<T>> second;
    private final Predicate<T> failure;
    private final Consumer<T> discard;

    /**
     * Creates the call; each subscription needs one of its own.
     *
     * @param failure whether an answer says that the server failed
     * @param discard lets go of an answer that nobody will read
     */
    public HedgedMono(Hedge hedge, Mono<T> first, Supplier<Mono<T>> second, Predicate<T> failure, Consumer<T> discard) {
        this.hedge = hedge;
        this.first = first;
        this.second = second;
        this.failure = failure;
        this.discard = discard;
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
        actual.onSubscribe(new Run(actual));
    }

    private final class Run extends Race<T> implements Subscription {

        private final CoreSubscriber<? super T> actual;
        private final Arm one = new Arm(FIRST);
        private final Arm two = new Arm(SECOND);
        private boolean begun;

        Run(CoreSubscriber<? super T> actual) {
            super(hedge, failure, discard);
            this.actual = actual;
        }

        @Override
        public void request(long n) {
            if (n > 0 && !begun) {
                begun = true;
                begin();
            }
        }

        @Override
        public void cancel() {
            abandon();
        }

        @Override
        void send(int side) {
            // The timer's thread looks at all calls: whoever makes the request may take his time elsewhere.
            Mono<T> attempt = side == FIRST ? first : second.get().subscribeOn(Schedulers.parallel());
            attempt.subscribe(arm(side));
        }

        @Override
        void cancel(int side) {
            arm(side).cancel();
        }

        private Arm arm(int side) {
            return side == FIRST ? one : two;
        }

        @Override
        void hand(int side, Outcome<T> outcome) {
            if (outcome.error() != null) {
                actual.onError(outcome.error());
                return;
            }
            if (outcome.answer() != null) {
                actual.onNext(outcome.answer());
            }
            actual.onComplete();
        }

        /** One attempt's subscriber. */
        private final class Arm implements CoreSubscriber<T> {

            private final int side;
            private volatile @Nullable Subscription subscription;
            private volatile boolean cancelled;
            private boolean done;

            Arm(int side) {
                this.side = side;
            }

            @Override
            public Context currentContext() {
                return actual.currentContext();
            }

            @Override
            public void onSubscribe(Subscription made) {
                subscription = made;
                if (cancelled || hasLost(side)) {
                    made.cancel();
                } else {
                    made.request(Long.MAX_VALUE);
                }
            }

            @Override
            public void onNext(T answer) {
                if (!done) {
                    done = true;
                    answered(side, answer);
                }
            }

            @Override
            public void onError(Throwable error) {
                if (!done) {
                    done = true;
                    failed(side, error);
                }
            }

            @Override
            public void onComplete() {
                if (!done) {
                    done = true;
                    failed(side, null);
                }
            }

            void cancel() {
                cancelled = true;
                Subscription made = subscription;
                if (made != null) {
                    made.cancel();
                }
            }
        }
    }
}

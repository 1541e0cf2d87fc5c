// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit.webclient;

import io.aether.starter.limit.NotSentException;
import io.aether.starter.limit.Passage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.loadbalancer.reactive.LoadBalancerRetryContext;
import org.springframework.cloud.client.loadbalancer.reactive.LoadBalancerRetryPolicy;
import org.springframework.cloud.client.loadbalancer.reactive.RetryableStatusCodeException;
import org.springframework.http.HttpMethod;

/** A policy of Spring's for one call, which is retried only while its branch grants it. */
public final class GrantedRetryPolicy implements LoadBalancerRetryPolicy {

    private final LoadBalancerRetryPolicy policy;
    private final Passage passage;
    private boolean denied;

    private GrantedRetryPolicy(LoadBalancerRetryPolicy policy, Passage passage) {
        this.policy = policy;
        this.passage = passage;
    }

    /** What {@code factory} makes, for the call that {@code passage} is. */
    public static Factory factory(Factory factory, @Nullable Passage passage) {
        return passage == null
                ? factory
                : service -> new GrantedRetryPolicy(Objects.requireNonNull(factory.apply(service)), passage);
    }

    /** Asked for each kind of retry and each cause of an error; counted once. */
    private boolean granted() {
        if (passage.grantsRetry()) {
            return true;
        }
        if (!denied) {
            denied = true;
            passage.denied();
        }
        return false;
    }

    @Override
    public boolean canRetrySameServiceInstance(LoadBalancerRetryContext context) {
        return policy.canRetrySameServiceInstance(context) && granted();
    }

    @Override
    public boolean canRetryNextServiceInstance(LoadBalancerRetryContext context) {
        return policy.canRetryNextServiceInstance(context) && granted();
    }

    @Override
    public boolean retryableStatusCode(int status) {
        return policy.retryableStatusCode(status);
    }

    /** What the limiter itself refused is not tried again, whatever else is. */
    @Override
    public boolean retryableException(@Nullable Throwable error) {
        if (error instanceof NotSentException || !policy.retryableException(error)) {
            return false;
        }
        // Spring's own sign for an answer that it retries: granted already.
        return error instanceof RetryableStatusCodeException || granted();
    }

    @Override
    public boolean canRetryOnMethod(HttpMethod method) {
        return policy.canRetryOnMethod(method);
    }
}

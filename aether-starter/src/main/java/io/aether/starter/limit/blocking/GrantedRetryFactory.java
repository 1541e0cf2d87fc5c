// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit.blocking;

import io.aether.starter.limit.NotSentException;
import io.aether.starter.limit.Passage;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.loadbalancer.LoadBalancedRetryContext;
import org.springframework.cloud.client.loadbalancer.LoadBalancedRetryFactory;
import org.springframework.cloud.client.loadbalancer.LoadBalancedRetryPolicy;
import org.springframework.cloud.client.loadbalancer.ServiceInstanceChooser;
import org.springframework.retry.RetryListener;
import org.springframework.retry.backoff.BackOffPolicy;

/** Policies of Spring's that retry a call only while its branch grants it. Takes the place of Spring's bean. */
public final class GrantedRetryFactory implements LoadBalancedRetryFactory {

    private final LoadBalancedRetryFactory factory;

    /** Limits the policies of {@code factory}. */
    public GrantedRetryFactory(LoadBalancedRetryFactory factory) {
        this.factory = factory;
    }

    @Override
    public @Nullable LoadBalancedRetryPolicy createRetryPolicy(String service, ServiceInstanceChooser chooser) {
        LoadBalancedRetryPolicy policy = factory.createRetryPolicy(service, chooser);
        return policy == null ? null : new Granted(policy);
    }

    @Override
    public RetryListener[] createRetryListeners(String service) {
        return factory.createRetryListeners(service);
    }

    @Override
    public @Nullable BackOffPolicy createBackOffPolicy(String service) {
        return factory.createBackOffPolicy(service);
    }

    /** The policy of one call. */
    private static final class Granted implements LoadBalancedRetryPolicy {

        private final LoadBalancedRetryPolicy policy;
        private boolean denied;

        Granted(LoadBalancedRetryPolicy policy) {
            this.policy = policy;
        }

        /** Asked several times for one retry, and by Spring's policy for both kinds. */
        private boolean granted(LoadBalancedRetryContext context) {
            if (!(context.getRequest().getAttributes().get(Passage.ATTRIBUTE) instanceof Passage passage)
                    || passage.grantsRetry()) {
                return true;
            }
            if (!denied) {
                denied = true;
                passage.denied();
            }
            return false;
        }

        @Override
        public boolean canRetrySameServer(LoadBalancedRetryContext context) {
            return policy.canRetrySameServer(context) && granted(context);
        }

        @Override
        public boolean canRetryNextServer(LoadBalancedRetryContext context) {
            return policy.canRetryNextServer(context) && granted(context);
        }

        @Override
        public void close(LoadBalancedRetryContext context) {
            policy.close(context);
        }

        @Override
        public void registerThrowable(LoadBalancedRetryContext context, Throwable error) {
            policy.registerThrowable(context, error);
        }

        @Override
        public boolean retryableStatusCode(int status) {
            return policy.retryableStatusCode(status);
        }

        /** What the limiter itself refused is not tried again, whatever else is. */
        @Override
        public boolean retryableException(@Nullable Throwable error) {
            return !(error instanceof NotSentException) && policy.retryableException(error);
        }
    }
}

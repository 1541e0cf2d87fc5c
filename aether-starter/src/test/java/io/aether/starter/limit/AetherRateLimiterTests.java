// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.aether.core.limit.BranchLimiter;
import io.aether.core.limit.LimitLaw;
import io.aether.core.limit.LimitSettings;
import io.aether.core.limit.Priority;
import io.aether.core.limit.UserRank;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.github.resilience4j.ratelimiter.RequestNotPermitted;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.HttpServerErrorException;

class AetherRateLimiterTests {
    private final long[] now = {0};
    private final RateLimiterRegistry registry = RateLimiterRegistry.ofDefaults();
    private final BranchLimiter branch =
            new BranchLimiter(LimitSettings.defaults().withGrace(Duration.ZERO), () -> now[0]);
    private final AetherRateLimiter limiter =
            AetherRateLimiter.register(registry, "shop", "default", branch, () -> Priority.CRITICAL);

    private static HttpServerErrorException answer(HttpStatus status, boolean retryAfter) {
        HttpHeaders headers = new HttpHeaders();
        if (retryAfter) {
            headers.set(HttpHeaders.RETRY_AFTER, "1");
        }
        return HttpServerErrorException.create(
                status, status.getReasonPhrase(), headers, new byte[0], StandardCharsets.UTF_8);
    }

    private void overload() {
        limiter.acquire(Priority.CRITICAL, UserRank.NOBODY);
        limiter.onError(answer(HttpStatus.SERVICE_UNAVAILABLE, true));
        limiter.drainPermissions();
    }

    @Test
    void isTheRegistrysLimiterOfItsName() {
        assertThat(registry.rateLimiter("aether:shop:default")).isSameAs(limiter);
        assertThat(registry.getAllRateLimiters()).containsExactly(limiter);
    }

    @Test
    void takesTheNameFromWhoHadItAndTellsTheRegistrysListeners() {
        RateLimiter before = registry.rateLimiter("aether:shop:other");
        List<RateLimiter> replaced = new ArrayList<>();
        registry.getEventPublisher().onEntryReplaced(event -> replaced.add(event.getOldEntry()));
        AetherRateLimiter other =
                AetherRateLimiter.register(registry, "shop", "other", branch, () -> Priority.CRITICAL);
        assertThat(replaced).containsExactly(before);
        assertThat(registry.rateLimiter("aether:shop:other")).isSameAs(other);
    }

    @Test
    void resilience4jsDecoratorsReportWhatTheyLetThrough() {
        assertThat(limiter.executeSupplier(() -> "done")).isEqualTo("done");
        assertThatThrownBy(() -> limiter.executeCallable(() -> {
                    throw new IOException("reset");
                }))
                .isInstanceOf(IOException.class);
        assertThat(branch.snapshot().answered()).isEqualTo(1);
        assertThat(branch.snapshot().lost()).isEqualTo(1);
        assertThat(branch.inFlight()).isZero();
    }

    @Test
    void aRefusalForOverloadLimits() {
        overload();
        assertThat(branch.rate()).isNotEqualTo(LimitLaw.OPEN);
        assertThat(limiter.acquirePermission()).isFalse();
        assertThat(limiter.reservePermission()).isEqualTo(-1);
        assertThatThrownBy(() -> limiter.executeRunnable(() -> {})).isInstanceOf(RequestNotPermitted.class);
        assertThat(limiter.getMetrics().getAvailablePermissions()).isZero();
    }

    @Test
    void otherErrorsAreAnswers() {
        limiter.acquire(Priority.CRITICAL, UserRank.NOBODY);
        limiter.onError(answer(HttpStatus.INTERNAL_SERVER_ERROR, true));
        limiter.acquire(Priority.CRITICAL, UserRank.NOBODY);
        limiter.onError(answer(HttpStatus.SERVICE_UNAVAILABLE, false));
        assertThat(branch.rate()).isEqualTo(LimitLaw.OPEN);
        assertThat(branch.snapshot().answered()).isEqualTo(2);
        limiter.acquire(Priority.CRITICAL, UserRank.NOBODY);
        limiter.onError(HttpClientErrorException.create(
                HttpStatus.TOO_MANY_REQUESTS, "", new HttpHeaders(), new byte[0], StandardCharsets.UTF_8));
        assertThat(branch.rate()).isNotEqualTo(LimitLaw.OPEN);
    }

    @Test
    void whatIsHeldBackIsATypedErrorWithRetryAfter() {
        overload();
        BranchLimitedException error = catchThrowableOfType(
                BranchLimitedException.class, () -> limiter.acquire(Priority.BULK, UserRank.NOBODY));
        assertThat(error).isNull(); // BULK's floor.
        error = catchThrowableOfType(
                BranchLimitedException.class, () -> limiter.acquire(Priority.BULK, UserRank.NOBODY));
        assertThat(error.getStatusCode()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE);
        assertThat(error.branch()).isEqualTo("aether:shop:default");
        assertThat(error.priority()).isEqualTo(Priority.BULK);
        assertThat(error.retryAfter()).isPositive();
        assertThat(Long.parseLong(error.getHeaders().getFirst(HttpHeaders.RETRY_AFTER)))
                .isBetween(1L, 10L);
        assertThat(error.getStackTrace()).isEmpty();
    }

    @Test
    void publishesEventsToWhoListens() {
        List<String> seen = new ArrayList<>();
        limiter.getEventPublisher().onSuccess(event -> seen.add("passed"));
        limiter.getEventPublisher().onFailure(event -> seen.add("held back"));
        overload();
        limiter.acquirePermission();
        assertThat(seen).containsExactly("passed", "held back");
    }

    @Test
    void cannotBeSet() {
        assertThatThrownBy(() -> limiter.changeLimitForPeriod(5)).hasMessageContaining("cannot be set");
        assertThatThrownBy(() -> limiter.changeTimeoutDuration(Duration.ofSeconds(1)))
                .hasMessageContaining("never waits");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.limit.Priority;
import io.aether.core.limit.UserRank;
import io.aether.starter.context.IgnoredHeaders.Reason;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContextHeadersTests {

    private static final long NOW = Long.MAX_VALUE - 5; // The clock may overflow at any time.

    private final IgnoredHeaders ignored = new IgnoredHeaders();
    private final Map<String, String> headers = new HashMap<>();

    private RequestContext read(long now) {
        Priority priority = ContextHeaders.priority(headers.get(ContextHeaders.PRIORITY), ignored);
        return new RequestContext(
                priority == null ? RequestContext.NONE.priority() : priority,
                ContextHeaders.deadline(headers.get(ContextHeaders.DEADLINE), now, ignored),
                ContextHeaders.userRank(headers.get(ContextHeaders.USER), ignored),
                ServerWork.NONE);
    }

    @ParameterizedTest
    @EnumSource(Priority.class)
    void whatIsWrittenIsRead(Priority priority) {
        float rank = UserRank.of(42, 490_000);
        RequestContext sent =
                new RequestContext(priority, NOW + TimeUnit.MILLISECONDS.toNanos(250), rank, ServerWork.NONE);
        ContextHeaders.write(sent, NOW, headers::put);
        RequestContext got = read(NOW);
        assertThat(got.priority()).isEqualTo(priority);
        assertThat(got.remainingNanos(NOW)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(250));
        assertThat(got.userRank()).isEqualTo(rank);
        assertThat(ignored.total(Reason.MALFORMED)).isZero();
    }

    @Test
    void deadlinesShrinkOnTheirWay() {
        RequestContext first =
                new RequestContext(Priority.BULK, TimeUnit.MILLISECONDS.toNanos(100), 0, ServerWork.NONE);
        ContextHeaders.write(first, TimeUnit.MILLISECONDS.toNanos(30), headers::put);
        assertThat(headers).containsEntry(ContextHeaders.DEADLINE, "70").doesNotContainKey(ContextHeaders.USER);
        ContextHeaders.write(first, TimeUnit.MILLISECONDS.toNanos(130), headers::put);
        assertThat(headers).containsEntry(ContextHeaders.DEADLINE, "0");
        assertThat(read(7).remainingNanos(7)).isZero();
    }

    @Test
    void nothingIsWrittenWithoutARequestAndNothingReadWithoutHeaders() {
        ContextHeaders.write(RequestContext.NONE, NOW, headers::put);
        assertThat(headers).isEmpty();
        RequestContext got = read(NOW);
        assertThat(got.priority()).isEqualTo(Priority.CRITICAL);
        assertThat(got.hasDeadline()).isFalse();
        assertThat(got.remainingNanos(NOW)).isEqualTo(Long.MAX_VALUE);
        assertThat(ignored.total(Reason.MALFORMED)).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "-1",
                "+5",
                "1.5",
                "1e3",
                "NaN",
                "99999999999999999999",
                "86400001",
                "١٢",
                "urgent",
                "0x1"
            })
    void sillyValuesAreIgnoredAndCounted(String silly) {
        ContextHeaders.OF_REQUESTS.forEach(name -> headers.put(name, silly));
        RequestContext got = read(NOW);
        assertThat(got.priority()).isEqualTo(Priority.CRITICAL);
        assertThat(got.hasDeadline()).isFalse();
        assertThat(got.userRank()).isZero();
        assertThat(ContextHeaders.pressure(silly, ignored)).isEqualTo(-1);
        assertThat(ignored.total(Reason.MALFORMED)).isEqualTo(4);
    }

    @Test
    void boundsOfPressureAndRank() {
        assertThat(ContextHeaders.pressure("255", ignored)).isEqualTo(255);
        assertThat(ContextHeaders.pressure("0", ignored)).isZero();
        assertThat(ContextHeaders.pressure(null, ignored)).isEqualTo(-1);
        assertThat(ContextHeaders.userRank("16777215", ignored)).isLessThan(1);
        assertThat(ignored.total(Reason.MALFORMED)).isZero();
        assertThat(ContextHeaders.pressure("256", ignored)).isEqualTo(-1);
        assertThat(ContextHeaders.userRank("16777216", ignored)).isZero();
        assertThat(ignored.total(Reason.MALFORMED)).isEqualTo(2);
    }
}

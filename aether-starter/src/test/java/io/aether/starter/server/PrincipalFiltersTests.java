// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.limit.Priority;
import io.aether.core.pick.Mode;
import io.aether.starter.context.IgnoredHeaders;
import io.aether.starter.context.RequestContext;
import io.aether.starter.context.RequestContexts;
import io.aether.starter.server.servlet.PrincipalFilter;
import io.aether.starter.server.servlet.ServerFilter;
import io.aether.starter.server.webflux.PrincipalWebFilter;
import io.aether.starter.server.webflux.ServerWebFilter;
import java.security.Principal;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.server.MockServerWebExchange;
import reactor.core.publisher.Mono;

/** Users whom only an authentication further in knows. */
class PrincipalFiltersTests {

    private static final Principal ANNA = () -> "anna";

    private final FakeClock clock = new FakeClock();
    private final ServerLoad load = new ServerLoad();
    private final Users users = new Users(InstantSource.system(), null);
    private final ServerEntry entry = new ServerEntry(
            load,
            new OwnQueue(load, new CpuQueue(load, () -> 0, () -> 0, 2), clock),
            new ServerGate(load, Mode.ON, 200e6),
            new Arrivals(
                    new Arrivals.Settings(true, Priority.CRITICAL, 0, List.of(), List.of()),
                    new HandlerPriorities(),
                    users,
                    new IgnoredHeaders()),
            () -> null,
            true,
            clock);
    private final AtomicReference<RequestContext> seen = new AtomicReference<>();

    @Test
    void servlets() throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/");
        request.setUserPrincipal(ANNA);
        PrincipalFilter inner = new PrincipalFilter(entry);
        new ServerFilter(entry).doFilter(request, new MockHttpServletResponse(), (rq, rs) -> {
            assertThat(RequestContexts.current().userRank()).isZero();
            inner.doFilter(rq, rs, (rq2, rs2) -> seen.set(RequestContexts.current()));
            assertThat(RequestContexts.current().userRank()).isZero();
        });
        assertThat(seen.get().userRank()).isPositive().isEqualTo(users.rank("anna"));
        assertThat(RequestContexts.onThread()).isNull();
        assertThat(load.inFlight()).isZero();
    }

    @Test
    void chains() {
        MockServerWebExchange plain = MockServerWebExchange.from(MockServerHttpRequest.get("/"));
        PrincipalWebFilter inner = new PrincipalWebFilter(entry, 0);
        new ServerWebFilter(entry, request -> null)
                .filter(
                        plain,
                        exchange -> inner.filter(
                                exchange.mutate().principal(Mono.just(ANNA)).build(),
                                last -> Mono.deferContextual(chain -> {
                                    seen.set(RequestContexts.current(chain));
                                    return last.getResponse().setComplete();
                                })))
                .block();
        assertThat(seen.get().userRank()).isPositive().isEqualTo(users.rank("anna"));
        assertThat(plain.getResponse().getHeaders().getFirst("X-Aether-Pressure"))
                .isEqualTo("0");
        assertThat(load.inFlight()).isZero();
    }

    @Test
    void nobodyStaysNobody() {
        MockServerWebExchange plain = MockServerWebExchange.from(MockServerHttpRequest.get("/"));
        PrincipalWebFilter inner = new PrincipalWebFilter(entry, 0);
        new ServerWebFilter(entry, request -> null)
                .filter(
                        plain,
                        exchange -> inner.filter(
                                exchange,
                                last -> Mono.deferContextual(chain -> {
                                    seen.set(RequestContexts.current(chain));
                                    return Mono.empty();
                                })))
                .block();
        assertThat(seen.get().userRank()).isZero();
    }
}

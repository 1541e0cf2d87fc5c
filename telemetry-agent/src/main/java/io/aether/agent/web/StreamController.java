// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.web;

import io.aether.agent.stream.EdgeStream;
import io.aether.agent.stream.Subscription;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Edges as server-sent events. Every subscriber has a thread of its own, so that one that does not read holds up nobody
 * else; the threads of the web server stay free.
 */
@RestController
class StreamController {
    private static final Logger log = LoggerFactory.getLogger(StreamController.class);
    private static final long NEVER = 0;

    private final EdgeStream stream;

    StreamController(EdgeStream stream) {
        this.stream = stream;
    }

    /**
     * @param lastId sent by a browser that lost its connection
     * @param after the same, for a browser that opens a new stream and cannot set headers
     */
    @GetMapping("/api/v1/stream")
    void stream(
            @RequestHeader(name = "Last-Event-ID", required = false) @Nullable String lastId,
            @RequestParam(required = false) @Nullable String after,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        Subscription subscription =
                stream.subscribe(lastId == null ? after : lastId).orElse(null);
        if (subscription == null) {
            response.setHeader("Retry-After", "5");
            throw new ResponseStatusException(
                    HttpStatus.SERVICE_UNAVAILABLE,
                    stream.maxSubscribers()
                            + " streams are open: close one, or raise aether.agent.stream.max-subscribers");
        }
        response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
        response.setCharacterEncoding("UTF-8");
        response.setHeader("Cache-Control", "no-store");
        // Proxies of the nginx kind would collect events until a buffer is full.
        response.setHeader("X-Accel-Buffering", "no");
        AsyncContext async = request.startAsync();
        async.setTimeout(NEVER);
        async.addListener(new EndOnError());
        Thread thread = new Thread(() -> serve(subscription, async), "aether-stream");
        thread.setDaemon(true);
        thread.start();
    }

    private static void serve(Subscription subscription, AsyncContext async) {
        try (subscription) {
            OutputStream out = async.getResponse().getOutputStream();
            subscription.run(out);
            async.complete();
        } catch (IOException gone) {
            // The web server ends the request itself. A second end could meet the next request that it serves.
            log.debug("A subscriber went away: {}", gone.getMessage());
        } catch (InterruptedException e) {
            async.complete();
            Thread.currentThread().interrupt();
        }
    }

    /** A subscriber that went away is no error: without this the web server would write an error page to nobody. */
    private static final class EndOnError implements AsyncListener {
        @Override
        public void onError(AsyncEvent event) {
            event.getAsyncContext().complete();
        }

        @Override
        public void onTimeout(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}

        @Override
        public void onComplete(AsyncEvent event) {}
    }
}

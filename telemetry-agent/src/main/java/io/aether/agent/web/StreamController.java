// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.web;

import io.aether.agent.stream.EdgeStream;
import io.aether.agent.stream.Subscription;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;

/**
 * Edges as server-sent events. Every subscriber has a thread of its own, so that one that does not read holds up nobody
 * else; the threads of the web server stay free.
 */
@RestController
class StreamController {
    private static final Logger log = LoggerFactory.getLogger(StreamController.class);
    private static final long NEVER = 0;
    private static final MediaType TEXT = new MediaType(MediaType.TEXT_PLAIN, StandardCharsets.UTF_8);

    private final EdgeStream stream;

    StreamController(EdgeStream stream) {
        this.stream = stream;
    }

    /**
     * @param lastId sent by a browser that lost its connection
     * @param after the same, for a browser that opens a new stream and cannot set headers
     */
    @GetMapping("/api/v1/stream")
    ResponseEntity<ResponseBodyEmitter> stream(
            @RequestHeader(name = "Last-Event-ID", required = false) @Nullable String lastId,
            @RequestParam(required = false) @Nullable String after,
            HttpServletResponse response) {
        Subscription subscription =
                stream.subscribe(lastId == null ? after : lastId).orElse(null);
        if (subscription == null) {
            response.setHeader("Retry-After", "5");
            throw new ResponseStatusException(
                    HttpStatus.SERVICE_UNAVAILABLE,
                    stream.maxSubscribers()
                            + " streams are open: close one, or raise aether.agent.stream.max-subscribers");
        }
        // Not the servlet's own asynchronous response: only Spring's keeps the web server from giving it to the next
        // request while this thread still writes to it.
        ResponseBodyEmitter emitter = new ResponseBodyEmitter(NEVER);
        Thread thread = new Thread(() -> serve(subscription, emitter), "aether-stream");
        thread.setDaemon(true);
        thread.start();
        return ResponseEntity.ok()
                .contentType(MediaType.TEXT_EVENT_STREAM)
                .cacheControl(CacheControl.noStore())
                // Proxies of the nginx kind would collect events until a buffer is full.
                .header("X-Accel-Buffering", "no")
                .body(emitter);
    }

    private static void serve(Subscription subscription, ResponseBodyEmitter emitter) {
        try (subscription) {
            subscription.run(text -> emitter.send(text, TEXT));
            emitter.complete();
        } catch (IOException | IllegalStateException gone) {
            // The web server has noticed it, too, and ends the request.
            log.debug("A subscriber went away: {}", gone.getMessage());
        } catch (InterruptedException e) {
            emitter.complete();
            Thread.currentThread().interrupt();
        }
    }
}

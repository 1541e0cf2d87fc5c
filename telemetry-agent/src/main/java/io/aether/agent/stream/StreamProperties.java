// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.stream;

import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of the stream of edges.
 *
 * @param maxSubscribers Streams that can be open at the same time; each takes a thread, further ones are refused.
 * @param history Latest events kept for subscribers that are slow or come back.
 * @param heartbeat Silence after which a comment is sent, so that both sides notice when the other is gone.
 */
@Validated
@ConfigurationProperties("aether.agent.stream")
public record StreamProperties(
        @Min(1) @Max(256) @DefaultValue("16") int maxSubscribers,
        @Min(16) @Max(65_536) @DefaultValue("1024") int history,
        @NotNull @DefaultValue("5s") Duration heartbeat) {

    private static final Duration MAX_HEARTBEAT = Duration.ofMinutes(1);

    @AssertTrue(message = "aether.agent.stream.heartbeat must be between 100ms and 1m")
    boolean isHeartbeatInRange() {
        return heartbeat.toMillis() >= 100 && heartbeat.compareTo(MAX_HEARTBEAT) <= 0;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.core.pick.Mode;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Configuration of the limiters of calls.
 *
 * @param mode Whether calls to overloaded branches are held back: "on" they are, "observe" it is counted which would be, "off" nobody asks.
 * @param grace How long after its first call a branch is only watched.
 * @param dscp Whether connections of reactor-netty carry the priority of their requests as DSCP.
 */
@Validated
@ConfigurationProperties("aether.limit")
public record LimitProperties(
        @DefaultValue("on") @NotNull Mode mode,

        @DefaultValue("3s") @NotNull @DurationMin(millis = 0) @DurationMax(minutes = 10)
        Duration grace,

        @DefaultValue("false") boolean dscp) {}

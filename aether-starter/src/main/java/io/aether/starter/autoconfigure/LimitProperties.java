// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.core.pick.Mode;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration of the limiters of calls.
 *
 * @param mode Whether calls to overloaded branches are held back: "on" they are, "observe" it is counted which would be, "off" nobody asks.
 * @param grace How long after its first call a branch is only watched.
 * @param dscp Whether connections of reactor-netty carry the priority of their requests as DSCP.
 */
@ConfigurationProperties("aether.limit")
public record LimitProperties(
        @DefaultValue("on") Mode mode,
        @DefaultValue("3s") Duration grace,
        @DefaultValue("false") boolean dscp) implements SelfChecked {

    @Override
    public void check(Checks checks) {
        checks.range("grace", grace, Duration.ZERO, Duration.ofMinutes(10));
    }
}

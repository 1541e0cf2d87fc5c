// SPDX-License-Identifier: Apache-2.0
package io.aether.gateway.page;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Whom the page at {@code /} reaches through this gateway. A browser lets it talk to its own server only.
 *
 * @param agent the node's agent, such as {@code http://127.0.0.1:9464}; without it edges have no colours
 * @param demo a demo that can switch arms and faults; without it the page has no switches
 */
@ConfigurationProperties("gateway.page")
record PageProperties(@Nullable URI agent, @Nullable URI demo) {}

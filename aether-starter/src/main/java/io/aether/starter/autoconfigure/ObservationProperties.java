// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What observations of client requests tell.
 *
 * @param enabled Whether observations of client requests, and so their spans and timers, tell of instance, class, attempt and limit.
 */
@ConfigurationProperties("aether.observation")
record ObservationProperties(@DefaultValue("true") boolean enabled) {}

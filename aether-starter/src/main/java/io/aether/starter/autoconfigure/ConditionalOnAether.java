// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;

/** Matches unless Aether or Spring's load balancer is switched off. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ConditionalOnProperty(name = "aether.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = "spring.cloud.loadbalancer.enabled", matchIfMissing = true)
@interface ConditionalOnAether {}

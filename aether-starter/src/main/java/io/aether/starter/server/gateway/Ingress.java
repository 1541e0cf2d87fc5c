// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server.gateway;

/** Present where requests come in from the outside: what they say of themselves is not believed unless it is said so. */
public record Ingress() {}

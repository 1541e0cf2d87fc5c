// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

/**
 * What makes an instance the same instance across refreshes of a registry: where it listens, and nothing else (ids are
 * often missing, metadata changes).
 *
 * @param service the service's id
 * @param scheme {@code http} or {@code https}, empty when unknown
 * @param host a name or an address literal
 * @param port 0 to 65535
 */
public record InstanceKey(String service, String scheme, String host, int port) {}

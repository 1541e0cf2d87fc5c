// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import io.aether.core.table.EndpointAddress;
import org.jspecify.annotations.Nullable;

/** Turns an instance's host name into the address that connections to it will have. Never called by a pick. */
@FunctionalInterface
public interface Resolver {
    /** Leaves names unresolved, so that only instances with address literals have a kernel view. */
    Resolver LITERALS_ONLY = key -> null;

    /** The address and port, or null when unknown; the last known one stays then. May block. */
    @Nullable
    EndpointAddress resolve(InstanceKey key);
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import io.aether.core.table.EndpointHealth;
import io.aether.core.table.TableSource;

/** Where the kernel's view of an instance comes from. Thread-safe. */
@FunctionalInterface
public interface KernelView {
    /** Knows nothing: picks rest on application signals alone. */
    KernelView NONE = (instance, into) -> false;

    /**
     * Reads what the kernel knows of an instance's endpoint; neither blocks nor allocates.
     *
     * @return false when nothing is known; {@code into} is undefined then
     */
    boolean read(Instance instance, EndpointHealth into);

    /** Called for every instance at every {@link Fleet#update}, off the request path: the place to resolve names. */
    default void prepare(Instance instance) {}

    /** Reads the health table. Address literals need no resolver; names are given to it at every update. */
    static KernelView of(TableSource source, Resolver resolver) {
        return new TableView(source, resolver);
    }
}

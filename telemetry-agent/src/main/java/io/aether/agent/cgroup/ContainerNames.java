// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.cgroup;

import org.jspecify.annotations.Nullable;

/** What container runtimes call their containers. Implementations are asked by one thread at a time. */
public interface ContainerNames {
    /** Knows none. */
    ContainerNames NONE = new ContainerNames() {
        @Override
        public @Nullable String container(String id) {
            return null;
        }

        @Override
        public @Nullable String pod(String uid) {
            return null;
        }
    };

    /**
     * A container's name; {@code namespace/pod/container} for one of Kubernetes.
     *
     * @param id 64 hexadecimal digits
     * @return null when unknown
     */
    @Nullable
    String container(String id);

    /**
     * A pod's name, {@code namespace/pod}.
     *
     * @param uid as Kubernetes writes it, with hyphens
     * @return null when unknown
     */
    @Nullable
    String pod(String uid);
}

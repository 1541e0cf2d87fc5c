// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import io.aether.core.pick.Instance;
import io.aether.core.pick.InstanceClass;

/** The class of an instance as it is now. Asked for each attempt where observations tell of it; must not block. */
@FunctionalInterface
public interface Standing {

    /** The class of {@code instance}. */
    InstanceClass of(Instance instance);
}

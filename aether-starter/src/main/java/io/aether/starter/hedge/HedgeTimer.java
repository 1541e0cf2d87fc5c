// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.hedge;

import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Looks at waiting calls when it is time to. Thread-safe. */
@FunctionalInterface
public interface HedgeTimer {
    /** Runs {@code look}, which does not block, after a time; null when the application ends. */
    @Nullable
    Future<?> after(long nanos, Runnable look);
}

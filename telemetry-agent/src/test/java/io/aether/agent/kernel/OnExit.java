// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

/** Undoes something when this process is told to end before whoever made it could. */
final class OnExit {
    private final Thread hook;

    OnExit(Runnable undo) {
        hook = new Thread(undo, "undo");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** It is undone already. */
    void forget() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ends) {
            // The process ends already; maybe this is the hook.
        }
    }
}

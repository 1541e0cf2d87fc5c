// SPDX-License-Identifier: Apache-2.0
package io.aether.core.hedge;

/** Why a second attempt is sent. */
public enum HedgeCause {
    /** The first has waited for longer than 95 of a hundred answers of its route take. */
    SLOW,
    /** The kernel says that the instance of the first lets its requests lie unread. */
    STALLED
}

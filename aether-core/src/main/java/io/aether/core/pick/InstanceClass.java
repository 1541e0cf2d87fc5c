// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

/** Classes come before costs: a candidate of a later class is picked only if there is none of an earlier one. */
public enum InstanceClass {
    /** Nothing against it. */
    COLD,
    /** Has as many requests in flight as it should: far more than the others, or a new one's share. */
    HOT,
    /** The kernel says now that it is stalled, or the path to it congested. */
    DEGRADED,
    /** Failed repeatedly or listens no more; let in again one request at a time. */
    EJECTED
}

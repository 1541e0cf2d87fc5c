// SPDX-License-Identifier: Apache-2.0
package io.aether.core.limit;

/**
 * What a server's word of its own pressure is worth where its packets carry no marks: the same ramp that they would be marked by,
 * but not weighed by who takes how much, so it limits as well and equalizes less. Pure.
 */
final class Pressure {
    /** The hard limit of the server's queue. */
    static final int MOST = 255;
    /** The mean service time over the hard limit, for an objective of ten times the mean. */
    private static final double LOW = 64;

    private static final double HIGH = Marker.ALL_SHARE * MOST;

    private Pressure() {}

    /** The share of packets that would be marked; 0 for what is no pressure. */
    static double mark(double pressure) {
        double share = (pressure - LOW) / (HIGH - LOW);
        return share > 0 ? Math.min(1, share) : 0;
    }

    /** The same for what kernels report, where 255 is the queue from which on all would be marked. */
    static double reported(int pressure) {
        return mark(Marker.ALL_SHARE * pressure);
    }
}

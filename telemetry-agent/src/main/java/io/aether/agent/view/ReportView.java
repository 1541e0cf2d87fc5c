// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.view;

/**
 * An endpoint's own state.
 *
 * @param ageMillis since it was last told
 * @param source {@code node} when it lives on this node, {@code option} when its packets carried it
 * @param stallAgeMicros age of the oldest unread data when last looked at; 0 when everything was read
 * @param sojournMicros arrival to the application's read
 * @param runQueueMicros mean wait for a CPU in its cgroup over the last 100 ms
 * @param runQueueP99Micros the same, 99th percentile of the last second
 * @param throttledPermille share of the last 100 ms without a CPU for want of quota
 * @param pressure 0 to 255, where 255 is the endpoint's limit
 * @param inFlight requests, as its application says
 * @param waiting those of them that nobody works on yet
 * @param estimatedWaitMicros what a request that comes now would wait, as its application says
 */
public record ReportView(
        long ageMillis,
        String source,
        long stallAgeMicros,
        long sojournMicros,
        long runQueueMicros,
        long runQueueP99Micros,
        int throttledPermille,
        int pressure,
        long inFlight,
        long waiting,
        long estimatedWaitMicros) {}

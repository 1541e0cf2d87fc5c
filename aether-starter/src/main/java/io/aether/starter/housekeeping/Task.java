// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.housekeeping;

import java.time.Duration;

/**
 * Something to be done again and again, beside the requests.
 *
 * @param period pause between two runs
 * @param mayBlock whether it waits for others, such as a name server; such tasks have a thread of their own
 * @param work the work; an exception is logged and the next run comes all the same
 */
public record Task(Duration period, boolean mayBlock, Runnable work) {}

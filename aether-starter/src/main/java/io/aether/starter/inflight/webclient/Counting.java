// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.inflight.webclient;

import io.aether.starter.hedge.Hedges;
import io.aether.starter.inflight.Flights;
import io.aether.starter.limit.BranchLimits;

/** What the filters of a load-balanced WebClient need of Aether. */
public record Counting(Flights flights, BranchLimits limits, Hedges hedges) {}

// SPDX-License-Identifier: Apache-2.0
/** Real kernel programs, real TCP traffic, in network namespaces and cgroups made for the test and removed after it. */
@NullMarked
package io.aether.agent.kernel;

import org.jspecify.annotations.NullMarked;

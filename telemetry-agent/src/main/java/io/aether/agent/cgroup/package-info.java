// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.aether.agent.cgroup;

import org.jspecify.annotations.NullMarked;

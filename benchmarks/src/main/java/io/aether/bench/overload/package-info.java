// SPDX-License-Identifier: Apache-2.0
/** One service under more load than it can serve: the stage, the trials and what they come to. */
@NullMarked
package io.aether.bench.overload;

import org.jspecify.annotations.NullMarked;

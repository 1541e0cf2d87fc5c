// SPDX-License-Identifier: Apache-2.0
/** What runs in containers: the images, the compose stack, and what happens to them. */
@NullMarked
package io.aether.stack;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** What an application tells the node's agent of its own queue, which no kernel can see. */
@org.jspecify.annotations.NullMarked
package io.aether.core.publish;

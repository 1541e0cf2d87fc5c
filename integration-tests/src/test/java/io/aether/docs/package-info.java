// SPDX-License-Identifier: Apache-2.0
/** The documents: that what they name exists. */
@NullMarked
package io.aether.docs;

import org.jspecify.annotations.NullMarked;

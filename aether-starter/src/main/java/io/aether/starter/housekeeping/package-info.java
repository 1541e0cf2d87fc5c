// SPDX-License-Identifier: Apache-2.0
/** Work that is done beside the requests. */
@NullMarked
package io.aether.starter.housekeeping;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.aether.bench.micro;

import org.jspecify.annotations.NullMarked;

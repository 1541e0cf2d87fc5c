// SPDX-License-Identifier: Apache-2.0
/** The manifests for Kubernetes: that they are what the API takes, and that what they name exists. */
@NullMarked
package io.aether.deploy;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** Dashboards and alerts: that they say what they should, of metrics that exist. */
@NullMarked
package io.aether.grafana;

import org.jspecify.annotations.NullMarked;

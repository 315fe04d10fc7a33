// SPDX-License-Identifier: Apache-2.0
/** Metrics of named things, for Micrometer: {@link dev.baton.micrometer.BatonMetrics}. */
@NullMarked
package dev.baton.micrometer;

import org.jspecify.annotations.NullMarked;

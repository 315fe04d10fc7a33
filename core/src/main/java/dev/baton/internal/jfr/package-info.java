// SPDX-License-Identifier: Apache-2.0
/**
 * The events that a flight recording gets. Everybody else goes through {@link dev.baton.internal.jfr.Flight}, which does without where
 * the module {@code jdk.jfr} is missing.
 */
@NullMarked
package dev.baton.internal.jfr;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * What is written down while tracking is on: who waits ({@link dev.baton.internal.observe.Waits}) and who has taken what ({@link
 * dev.baton.internal.observe.Taker}). Primitives and the kernel write here; {@code dev.baton.observe} reads.
 */
@NullMarked
package dev.baton.internal.observe;

import org.jspecify.annotations.NullMarked;

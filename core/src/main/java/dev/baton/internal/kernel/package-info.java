// SPDX-License-Identifier: Apache-2.0
/**
 * The permit kernel: one 64-bit word, one small lock, one FIFO queue.
 *
 * <p>{@link dev.baton.internal.kernel.PermitQueue} is the algorithm; {@link dev.baton.internal.kernel.Request} is what
 * stands in its queue, waiting as a thread or as a future.
 */
@NullMarked
package dev.baton.internal.kernel;

import org.jspecify.annotations.NullMarked;

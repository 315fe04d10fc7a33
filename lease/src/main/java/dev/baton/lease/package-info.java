// SPDX-License-Identifier: Apache-2.0
/**
 * Named semaphores whose permits are leases: {@link dev.baton.lease.Leases} is where to begin.
 *
 * <p>What is here is the same for every store. {@code dev.baton.lease.spi} is what a store has to do, {@code dev.baton.lease.memory} the
 * store that is always there.
 */
@NullMarked
package dev.baton.lease;

import org.jspecify.annotations.NullMarked;

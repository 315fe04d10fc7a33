// SPDX-License-Identifier: Apache-2.0
/**
 * The kernel: everything that waits in Baton waits here.
 *
 * <p>{@link dev.baton.internal.kernel.PermitQueue} is the algorithm under semaphores, locks and pools: one 64-bit word, one small lock, one FIFO
 * queue. What is waited for is not always permits: {@link dev.baton.internal.kernel.TransferQueue} hands over values, {@link
 * dev.baton.internal.kernel.BroadcastQueue} shows each value to many, {@link dev.baton.internal.kernel.BatchBuffer} hands over several together,
 * {@link dev.baton.internal.kernel.Completion} happens once, and has a queue only if several wait for it. The lock, the line and the waking
 * after it are the same for all: {@link dev.baton.internal.kernel.WaitQueue}. {@link dev.baton.internal.kernel.Request} is what stands in line, as a thread; {@link
 * dev.baton.internal.kernel.AsyncRequest} as a future; {@link dev.baton.internal.kernel.SelectRequest} as one of several.
 *
 * <p>How one acquire travels:
 *
 * <pre>
 *   Semaphore.acquire       a switch point; is the caller interrupted?
 *   PermitQueue.takeOne     one fetch-and-add: a free permit is taken, and that is all
 *   PermitQueue.await       there was none: a Request enters the line, under the lock, or is served there
 *   WaitQueue.await         the outcome, an interrupt or the deadline; who leaves early has the next considered in the same step
 *   Waiter.await            spins if it is first in line, then asks its Host to sleep
 * </pre>
 *
 * <p>and one release: {@code Semaphore.release}, {@code PermitQueue.giveOne} (one fetch-and-add if nobody waits), else the lock, the grants in
 * order, and {@code WaitQueue.unlockAndWake} once the lock is gone.
 */
@NullMarked
package dev.baton.internal.kernel;

import org.jspecify.annotations.NullMarked;

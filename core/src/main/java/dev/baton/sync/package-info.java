// SPDX-License-Identifier: Apache-2.0
/**
 * Fair, cancellable semaphores, locks and signals.
 *
 * <ul>
 *   <li>permits: {@link dev.baton.sync.Semaphore}, held as a {@link dev.baton.sync.Permit}
 *   <li>locks: {@link dev.baton.sync.Mutex} and {@link dev.baton.sync.RwLock}, held as a {@link dev.baton.sync.Guard}
 *   <li>signals: {@link dev.baton.sync.Notify}, {@link dev.baton.sync.Event}, {@link dev.baton.sync.Barrier}
 *   <li>values: {@link dev.baton.sync.OnceCell}, {@link dev.baton.sync.Promise} with its read side {@link dev.baton.sync.Waitable}, {@link
 *       dev.baton.sync.Result}
 * </ul>
 *
 * <p>Each of them is a thin face of the kernel below: it checks arguments, says where a cooperative host may switch, and has the kernel do the
 * waiting. What is not public here keeps holders and conditions. May use the kernel, the host and what is written down about holders; is used by
 * scopes, channels and patterns.
 */
@NullMarked
package dev.baton.sync;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * The seam between primitives and the world that runs them. Exported to Baton's own modules only.
 *
 * <ul>
 *   <li>{@link dev.baton.host.Host}: whom to put to sleep and wake, what time it is, where randomness comes from; {@link dev.baton.host.Hosts}
 *       finds that of the caller
 *   <li>{@link dev.baton.host.Waiter}: one wait, decided once, then woken; {@link dev.baton.host.HostedFuture} and {@link
 *       dev.baton.host.RequestFuture} wait without a thread, {@link dev.baton.host.Callbacks} runs what hangs on them
 *   <li>{@link dev.baton.host.SwitchPoints}: where a cooperative host may let another task run
 *   <li>{@link dev.baton.host.Ledger}, {@link dev.baton.host.Awaited}, {@link dev.baton.host.Several}, {@link dev.baton.host.Alternatives}: what a
 *       host is told for its diagnosis
 *   <li>{@link dev.baton.host.Probe}, {@link dev.baton.host.Incidents}, {@link dev.baton.host.Frames}: names, recordings and lines, for modules
 *       that have things of their own to show
 * </ul>
 */
@NullMarked
package dev.baton.host;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.spi;

import dev.baton.lease.LeaseHolder;
import dev.baton.lease.LeaseStats;
import dev.baton.lease.LeaseWaiter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A name at one instant.
 *
 * @param stats how it is doing; null if nothing is known of the name
 * @param holders who holds leases, oldest first
 * @param waiters who waits, in order
 */
public record NameView(@Nullable LeaseStats stats, List<LeaseHolder> holders, List<LeaseWaiter> waiters) {
  /** Of a name of which nothing is known. */
  public static final NameView EMPTY = new NameView(null, List.of(), List.of());
}

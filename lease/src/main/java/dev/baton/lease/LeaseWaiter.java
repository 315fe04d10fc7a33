// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease;

import java.time.Duration;

/**
 * A request that waits.
 *
 * @param id the lease it will be
 * @param label what the one who waits has called itself; empty if nothing
 * @param owner the task or process that waits, as far as the store knows
 * @param permits how many permits it asks for
 * @param place its place in the line: 1 is next
 * @param age for how long it has been waiting
 */
public record LeaseWaiter(String id, String label, String owner, int permits, int place, Duration age) {}

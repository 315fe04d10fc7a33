// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease;

import java.time.Duration;
import java.util.List;

/**
 * A lease that is held.
 *
 * @param id the lease
 * @param label what the holder has called itself; empty if nothing
 * @param owner the task or process that has it, as far as the store knows
 * @param permits how many permits it stands for
 * @param slots the numbers of its slots, in order
 * @param fencingToken larger than that of every lease of this name that was granted before
 * @param age since when it is held
 * @param remaining how long it lasts if nobody extends or renews it; {@link Lease#FOREVER} if there is no end
 */
public record LeaseHolder(
    String id,
    String label,
    String owner,
    int permits,
    List<Integer> slots,
    long fencingToken,
    Duration age,
    Duration remaining) {}

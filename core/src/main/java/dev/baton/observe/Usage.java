// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

/**
 * How much of a named thing is in use. Each figure was true at some moment of the call; a figure that does not apply to a kind of
 * thing is {@link #UNKNOWN}.
 *
 * <table>
 * <caption>What is counted</caption>
 * <tr><th>kind</th><th>available</th><th>held</th><th>waiting</th></tr>
 * <tr><td>semaphore</td><td>free permits</td><td>permits held; unknown if unbounded</td><td>requests</td></tr>
 * <tr><td>mutex</td><td>1 while it is free</td><td>1 while it is held</td><td>requests</td></tr>
 * <tr><td>rwlock</td><td>reads that could begin; unknown without a limit</td><td>readers, or 1 writer</td><td>requests</td></tr>
 * <tr><td>channel</td><td>room in the buffer; unknown if unlimited</td><td>values stored</td><td>senders and receivers</td></tr>
 * <tr><td>broadcast</td><td>values before a send waits, or a subscriber misses one</td><td>values stored</td><td>senders and
 * receivers</td></tr>
 * <tr><td>batchqueue</td><td>unknown: there is no limit</td><td>items stored</td><td>requests</td></tr>
 * <tr><td>pool</td><td>resources that could be borrowed</td><td>borrowed ones</td><td>requests</td></tr>
 * <tr><td>executor</td><td>tasks that could begin</td><td>running tasks</td><td>stored tasks and submitters</td></tr>
 * <tr><td>scope</td><td>forks the limit allows; unknown without one</td><td>forks that have not ended</td><td>forks that wait for
 * the limit</td></tr>
 * <tr><td>lease</td><td>free permits</td><td>permits held</td><td>requests</td></tr>
 * </table>
 *
 * @param available what could be taken now
 * @param held what is in use
 * @param waiting how many wait
 */
public record Usage(long available, long held, long waiting) {
  /** A figure that does not apply. */
  public static final long UNKNOWN = -1;
}

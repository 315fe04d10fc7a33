// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import java.time.Duration;

/**
 * A read lock that may become the write lock without letting go in between: what was read stays true until it is written.
 *
 * {@snippet :
 * RwLock lock = new RwLock();
 * Map<String, Integer> counts = new HashMap<>();
 * try (UpgradableGuard guard = lock.upgradable()) {
 *   if (!counts.containsKey("apples")) {
 *     guard.upgrade();
 *     counts.put("apples", 1);
 *   }
 * }
 * }
 *
 * <p>There is at most one at a time, beside any number of ordinary readers; others who ask for one wait in line. An upgrade
 * waits until those readers have left, goes before all who wait for the lock, and then the upgrading thread owns the write
 * lock. If that is unlocked or downgraded otherwise than by this guard, the guard keeps nothing but its place as the one
 * that may upgrade, until it is closed.
 *
 * <p>Used by one thread at a time; closed by any, but not while its owner waits for a condition or signals one. Closed while another thread waits in {@link #upgrade}, it lets go of
 * everything as soon as that wait ends.
 */
public interface UpgradableGuard extends Guard {

  /**
   * Takes the write lock, waiting until nobody else reads; does nothing if it is held already.
   *
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; the guard holds what it
   *     held before, and nothing more
   * @throws IllegalMonitorStateException if the caller reads otherwise too, as far as that is tracked: it would wait for itself
   * @throws IllegalStateException if the guard is closed, or the write lock was given up otherwise
   */
  void upgrade() throws InterruptedException;

  /**
   * Takes the write lock as {@link #upgrade()} does, waiting at most {@code timeout}; zero or less tries once.
   *
   * @param timeout how long to wait at most; zero or less tries once
   * @return false if the time passed first; the guard goes on reading and holds nothing more
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; the guard holds what it
   *     held before, and nothing more
   * @throws IllegalMonitorStateException if the caller reads otherwise too, as far as that is tracked: it would wait for itself
   * @throws IllegalStateException if the guard is closed, or the write lock was given up otherwise
   */
  boolean upgrade(Duration timeout) throws InterruptedException;

  /**
   * Takes the write lock if nobody else reads, whoever waits. Never blocks.
   *
   * @return true if the guard holds the write lock now; false if others read, and then it goes on reading
   * @throws IllegalStateException if the guard is closed, or the write lock was given up otherwise
   */
  boolean tryUpgrade();

  /**
   * Goes back to reading, and may upgrade again. Readers at the head of the line enter, the next writer does not. Never blocks.
   *
   * @throws IllegalStateException if the guard does not hold the write lock; nothing changes
   */
  void downgrade();

  /** {@return whether the guard holds the write lock} */
  boolean isUpgraded();
}

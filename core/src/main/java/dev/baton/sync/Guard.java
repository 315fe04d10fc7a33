// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

/**
 * A lock that is held, for use with try-with-resources. Closing it unlocks, once; closing it again, or after the lock was
 * unlocked otherwise, does nothing.
 */
public interface Guard extends AutoCloseable {

  /**
   * Unlocks if this guard still holds the lock. Never throws; any thread may call it, but not while the owner waits for a
   * condition or signals one.
   */
  @Override
  void close();
}

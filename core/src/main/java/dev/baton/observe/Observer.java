// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

import java.time.Duration;

/**
 * Is told what happens to named things, for metrics. See {@link Baton#observe}.
 *
 * <p>Its methods are called by the very tasks that wait and hold, with none of Baton's own locks held: they should be short, and must
 * not block. What one throws goes to the uncaught exception handler of the calling thread; nobody else is affected.
 *
 * <p>Times are those of the world in which the task runs, so in a simulation they are virtual.
 */
public interface Observer {

  /**
   * {@code thing} was named; or it was there before, when the observer came. Called once for each.
   *
   * @param thing what was named; the same object each time
   */
  default void appeared(Named thing) {}

  /**
   * {@code thing} was closed, or was found to be gone: some time after the last reference to it was. Called once for each.
   *
   * @param thing what was named; the same object each time
   */
  default void vanished(Named thing) {}

  /**
   * Somebody who had to wait for {@code thing} waits no more. Who got what it wanted at once is not told of. A select, which waits for
   * several things, has waited for the one that served or refused it; if none did, because it was interrupted or out of time, or all of them
   * were closed, for each of them, in vain.
   *
   * @param thing what was named; the same object each time
   * @param time for how long it waited
   * @param granted whether it got what it waited for; false if it was interrupted, out of time, refused or closed
   */
  default void waited(Named thing, Duration time, boolean granted) {}

  /**
   * Somebody has given back what it had of {@code thing}: a permit by its {@code Permit}, a mutex, a write lock, a read lock by its
   * guard or for a body, a resource of a pool, a lease; or a task of an executor has ended, or a scope was closed. What is not held by anybody
   * known, as permits of {@code acquire()} and reads of {@code lock()}, is not told of.
   *
   * @param thing what was named; the same object each time
   * @param time for how long it had it
   */
  default void held(Named thing, Duration time) {}

  /** Ends an observation. */
  @FunctionalInterface
  interface Registration extends AutoCloseable {

    /** The observer is told nothing more, but for calls that are under way. Closing again does nothing. Never throws. */
    @Override
    void close();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Permits of a {@link LeaseSemaphore} that are held until they are released, or lost.
 *
 * {@snippet :
 * LeaseSemaphore reports = Leases.shared().semaphore("reports", 3).ttl(Duration.ofMinutes(5));
 * try (Lease lease = reports.acquire()) {
 *   lease.onLost(why -> System.out.println("too slow: " + why));
 *   System.out.println("slot " + lease.slotNumber() + ", token " + lease.fencingToken());
 * }
 * }
 *
 * <p><b>Loss.</b> A lease that is not released in time is lost, once, for one reason. From that moment {@link #isValid} is false; only then can
 * somebody else be granted its permits. Nobody is stopped by it who does not look: let what is protected compare {@linkplain #fencingToken
 * tokens}.
 *
 * <p>Safe for use by several threads. Not to be implemented by users.
 */
public interface Lease extends AutoCloseable {
  /** What remains of a lease that has no end. */
  Duration FOREVER = ChronoUnit.FOREVER.getDuration();

  /** {@return what tells this lease from all others; to release, extend or revoke it from elsewhere} */
  String id();

  /** {@return the name of the semaphore} */
  String name();

  /** {@return what the handle it was acquired through was labelled with; empty if nothing} */
  String label();

  /** {@return how many permits it stands for} */
  int permits();

  /**
   * {@return the lowest slot that was free when this was granted, from 1 to the limit; of several permits the lowest} No
   * two that are held share one.
   */
  int slotNumber();

  /** {@return a number larger than that of every lease of this name that was granted before} */
  long fencingToken();

  /** {@return how long it took to be granted} */
  Duration waited();

  /** {@return how long it lasts unless extended: {@link #FOREVER} without a time to live, zero once released or lost} */
  Duration remaining();

  /**
   * {@return whether it is held, as far as can be known here: false from the moment on which somebody else might be
   * granted its permits}
   */
  boolean isValid();

  /** {@return why it was lost, if it was: known as soon as it is not {@linkplain #isValid valid}, unless it was released} */
  Optional<LossReason> lost();

  /**
   * Gives it so long from now, instead of what remains; never less than what remains.
   *
   * @param time how long from now on; positive
   * @return false if it was released or lost before, or has no end to extend; then nothing changes
   * @throws IllegalArgumentException if {@code time} is zero or negative
   */
  boolean extend(Duration time);

  /**
   * Gives it its whole time to live again, from now; see {@link #extend(Duration)}.
   *
   * @return false if it was released or lost before, or has no end to extend; then nothing changes
   */
  boolean extend();

  /**
   * Has {@code callback} run when the lease is lost, once, in a task of its own that nobody waits for; at once if it is lost already. In memory its
   * permits have gone back by then.
   * Never if it is released first.
   *
   * @param callback called with the reason; what it throws goes to the handler of its thread
   */
  void onLost(Consumer<? super LossReason> callback);

  /**
   * Gives the permits back, all in one step.
   *
   * @return EXPIRED if it was lost before, UNKNOWN if it was released before
   */
  ReleaseResult release();

  /** Gives the permits back, if they are still held. Never throws. Does nothing when called again. */
  @Override
  void close();
}

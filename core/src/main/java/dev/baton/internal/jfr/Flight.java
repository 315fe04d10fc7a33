// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.jfr;

import org.jspecify.annotations.Nullable;

/**
 * Tells flight recordings what happens; does nothing where there are none to be had.
 *
 * <p>Nothing here is asked on the way of those who find what they want, except whether leaks are looked for by those who take a {@code
 * Permit}: until the first recording begins that is a method that returns false, which the JIT removes.
 */
public final class Flight {
  private static final boolean PRESENT = isPresent();

  private Flight() {}

  /** The module need not be there: Baton requires it to be compiled only. */
  private static boolean isPresent() {
    try {
      Class.forName("jdk.jfr.Event", false, Flight.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError missing) {
      return false;
    }
  }

  /** Whether a recording has waits. */
  public static boolean recordsWaits() {
    return PRESENT && WaitEvent.isWanted();
  }

  /** A wait begins. What is returned is to be handed to {@link #waited} when it is over; null if no recording wants it. */
  public static @Nullable Object waits() {
    return PRESENT ? WaitEvent.beginOne() : null;
  }

  /**
   * A wait is over.
   *
   * @param begun what {@link #waits} returned
   * @param primitive what was waited for, as people know it
   * @param name the name it was given; empty if none was
   * @param permits for how many; 0 where nothing is counted
   * @param outcome how it ended
   */
  public static void waited(Object begun, Object primitive, String name, long permits, String outcome) {
    ((WaitEvent) begun).endOne(primitive, name, permits, outcome);
  }

  /** Whether a recording has permits that are lost. */
  public static boolean recordsLeaks() {
    return PRESENT && PermitLeakEvent.isWanted();
  }

  /** Has {@code look} run now and then while a recording has leaks: on the thread of the recorder. */
  public static void lookForLeaks(Runnable look) {
    if (PRESENT) {
      PermitLeakEvent.lookBy(look);
    }
  }

  /** Permits were lost: what held them is gone and has not given them back. */
  public static void permitLeaked(Object semaphore, String name, long permits, String taker, String line) {
    if (PRESENT) {
      PermitLeakEvent.happened(semaphore, name, permits, taker, line);
    }
  }

  /** A scope has failed. */
  public static void scopeFailed(String name, Throwable error, int forks) {
    if (PRESENT) {
      ScopeFailureEvent.happened(name, error, forks);
    }
  }

  /** A lease was lost. */
  public static void leaseLost(String name, String id, String holder, String reason, String store, long heldNanos) {
    if (PRESENT) {
      LeaseLostEvent.happened(name, id, holder, reason, store, heldNanos);
    }
  }

  /** Whether a recording has deadlocks. */
  public static boolean recordsDeadlocks() {
    return PRESENT && DeadlockEvent.isWanted();
  }

  /** A dump has found a deadlock. */
  public static void deadlocked(int tasks, String graph) {
    if (PRESENT) {
      DeadlockEvent.happened(tasks, graph);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.jfr;

import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Tells flight recordings what happens; does nothing where there are none to be had, or has never been one.
 *
 * <p>Nothing here is asked on the way of those who find what they want, except whether leaks are looked for by those who take a {@code
 * Permit}: until the first recording begins that is a look at one flag.
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

  /**
   * Whether there has ever been a recording, or anything else that uses the recorder. Before that no event is as much as loaded: the first
   * would take the recorder's own machinery with it, a fifth of a second in the midst of somebody's first wait.
   */
  private static boolean isUsed() {
    return PRESENT && FlightRecorder.isInitialized();
  }

  /** Whether a recording has waits. */
  public static boolean recordsWaits() {
    return isUsed() && WaitEvent.isWanted();
  }

  /** A wait begins. What is returned is to be handed to {@link #waited} when it is over; null if no recording wants it. */
  public static @Nullable Object waits() {
    return isUsed() ? WaitEvent.beginOne() : null;
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
    return isUsed() && PermitLeakEvent.isWanted();
  }

  /** Has {@code look} run now and then while a recording has leaks: on the thread of the recorder. */
  public static void lookForLeaks(Runnable look) {
    if (isUsed()) {
      PermitLeakEvent.lookBy(look);
    }
  }

  /** Permits were lost: what held them is gone and has not given them back. */
  public static void permitLeaked(Object semaphore, String name, long permits, String taker, String line) {
    if (isUsed()) {
      PermitLeakEvent.happened(semaphore, name, permits, taker, line);
    }
  }

  /** A scope has failed. */
  public static void scopeFailed(String name, Throwable error, int forks) {
    if (isUsed()) {
      ScopeFailureEvent.happened(name, error, forks);
    }
  }

  /** A lease was lost. */
  public static void leaseLost(String name, String id, String holder, String reason, String store, long heldNanos) {
    if (isUsed()) {
      LeaseLostEvent.happened(name, id, holder, reason, store, heldNanos);
    }
  }

  /** Whether a recording has deadlocks. */
  public static boolean recordsDeadlocks() {
    return isUsed() && DeadlockEvent.isWanted();
  }

  /** A dump has found a deadlock. */
  public static void deadlocked(int tasks, String graph) {
    if (isUsed()) {
      DeadlockEvent.happened(tasks, graph);
    }
  }
}

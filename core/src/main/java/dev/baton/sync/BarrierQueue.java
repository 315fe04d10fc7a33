// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.WAITING;

import dev.baton.internal.fields.Fields;
import dev.baton.internal.kernel.Request;
import dev.baton.internal.kernel.WaitQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Those who have arrived in the present generation and wait for the others.
 *
 * <pre>
 *   0 … parties − 1 wait ──the last one arrives──▶ all GRANTED, nobody waits, next generation
 * </pre>
 *
 * <p>The line is emptied in the very step in which the generation ends, so it never holds two generations.
 */
final class BarrierQueue extends WaitQueue {
  private static final VarHandle GENERATION = Fields.find(MethodHandles.lookup(), "generation", long.class);

  private final int parties;

  /** How many generations have ended; written under the lock. */
  private volatile long generation;

  BarrierQueue(int parties) {
    this.parties = parties;
  }

  /** Whether everybody else seems to have arrived. Only a look: whoever arrives makes sure under the lock. */
  boolean isNextLast() {
    return size() + 1 == parties;
  }

  /** Arrives if everybody else has: the generation has ended then. False: somebody is missing; nothing has changed. */
  boolean arriveLast() {
    lock();
    if (size() + 1 == parties) {
      tripAndUnlock();
      return true;
    }
    unlock();
    return false;
  }

  /** Arrives: GRANTED as the last one, else WAITING. */
  int arrive(Request request) {
    lock();
    if (size() + 1 == parties) {
      tripAndUnlock();
      return GRANTED;
    }
    enqueue(request);
    unlock();
    return WAITING;
  }

  private void tripAndUnlock() {
    // Release: only those who hold the lock write it, and nobody who looks at it waits for it.
    GENERATION.setRelease(this, generation + 1);
    Request only = size() == 1 ? pollClaimed() : null;
    if (only != null) {
      only.decide(GRANTED);
      unlockAndWakeAlone(only);
      return;
    }
    while (serveFirst(GRANTED)) {
      // each in turn
    }
    unlockAndWake();
  }

  int parties() {
    return parties;
  }

  long generation() {
    return generation;
  }

  int waiting() {
    lock();
    int waiting = size();
    unlock();
    return waiting;
  }
}

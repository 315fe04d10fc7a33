// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import static dev.baton.host.Waiter.WAITING;

import org.jspecify.annotations.Nullable;

/**
 * A queue whose first in line is served again and again: it wakes one who waits before its turn comes, so that it runs when it does. Who
 * that is changes no outcome, only the pace.
 *
 * <pre>
 *   near   the next in line: each turn is on another core than the one before, where the next one is awake already
 *   far    the one {@link #REACH} places behind: it keeps the other core, while those in between are woken by the one before them, where that
 *          runs, and find what they need in its cache
 * </pre>
 *
 * <p>Far is faster where turns are so short that to hand over is most of the work; near is where the next one can wake up meanwhile. Which it is
 * depends on the work, on the machine and on how far its cores are from each other, so it is measured: for an epoch of so many turns each, and the one that is
 * not in use is tried now and then, the less often the longer it has not paid.
 */
abstract class AheadQueue extends PermitFields {
  /** How many places behind stands the one who is woken far ahead. Only where more wait is there a choice. */
  static final int REACH = 16;

  private static final int TURNS_PER_EPOCH = 256;
  private static final int LEAST_BETWEEN_TRIALS = 8;
  private static final int MOST_BETWEEN_TRIALS = 64;

  private static final int MOST_IN_VAIN = 4;

  // Guarded by the lock, all of them.

  /** Who stands behind the one that was woken early and has just been served. A hint, and null but within a critical section. */
  private @Nullable Request behind;

  /** When the epoch began; 0 if there is none, since few wait. */
  private long begun;

  /** How long an epoch took last, of either kind; 0 if that is not known. */
  private int nearTook;

  private int farTook;

  private short epochsToTrial = LEAST_BETWEEN_TRIALS;
  private short betweenTrials = LEAST_BETWEEN_TRIALS;

  /** How many in a row, of those who were woken early, slept again when their turn came. */
  private int inVain;

  /** Which of the two seems better. */
  private boolean prefersFar;

  /** Which of the two this epoch has: the better one, or the other one for a trial. */
  private boolean far;

  /** {@code request}, the first in line, is about to be served, and has not left the line. Called under the lock. */
  final void serves(Request request) {
    turnsLeft--;
    if (firstIsAhead || request == ahead) {
      forgetAhead();
      // Only then: there is no other reason to look at it.
      if (far && request.looksLonger()) {
        behind = request.foreseen();
        inVain = request.isAsleep() ? inVain + 1 : 0;
      }
    }
  }

  /** {@code request} leaves the line unserved. Called under the lock. */
  final void leaves(Request request) {
    if (request == ahead || (firstIsAhead && request == first())) {
      forgetAhead();
    }
  }

  /** Somebody is about to be put before all others. Called under the lock. */
  final void makesRoomInFront() {
    if (firstIsAhead) {
      firstIsAhead = false;
      ahead = first();
    }
  }

  private void forgetAhead() {
    firstIsAhead = false;
    if (ahead != null) {
      ahead = null;
    }
  }

  @Override
  protected @Nullable Request nextInLine() {
    Request hint = behind;
    if (hint != null) {
      behind = null;
    }
    Request next = first();
    if (firstIsAhead || ahead != null || next == null) {
      // It may sleep again, if somebody was served before it out of turn.
      return (firstIsAhead || ahead == next) && !far ? next : null;
    }
    Request chosen = next;
    // Where nobody looks for its turn there is nothing to choose, and the clock is somebody else's.
    if (size() > REACH && next.host().maySpin()) {
      chosen = choose(next, hint);
    } else {
      // The line runs dry: how long that takes says nothing about turns.
      begun = 0;
    }
    if (chosen == next) {
      firstIsAhead = true;
    } else {
      ahead = chosen;
    }
    return chosen;
  }

  private Request choose(Request next, @Nullable Request hint) {
    if (begun == 0) {
      beginEpoch(next.host().nanoTime(), prefersFar);
    } else if (turnsLeft <= 0 || (far && inVain >= MOST_IN_VAIN)) {
      endEpoch(next.host().nanoTime());
    }
    if (!far) {
      return next;
    }
    Request chosen = hint != null && hint.queued && hint.outcome() == WAITING ? hint : walk(next);
    chosen.lookLonger();
    return chosen;
  }

  private static Request walk(Request next) {
    Request request = next;
    for (int i = 1; i < REACH && request.next != null; i++) {
      request = request.next;
    }
    return request;
  }

  private void endEpoch(long now) {
    boolean preferred = prefersFar;
    long took = measured(now - begun);
    if (took > 0) {
      if (far) {
        farTook = smoothed(preferred ? farTook : 0, took);
      } else {
        nearTook = smoothed(preferred ? 0 : nearTook, took);
      }
      // By more than chance.
      int margin = nearTook >> 4;
      prefersFar = farTook > 0 && farTook < (preferred ? nearTook + margin : nearTook - margin);
    }
    if (prefersFar != preferred) {
      betweenTrials = LEAST_BETWEEN_TRIALS;
      epochsToTrial = LEAST_BETWEEN_TRIALS;
    } else if (far != preferred) {
      betweenTrials = (short) Math.min(2 * betweenTrials, MOST_BETWEEN_TRIALS);
      epochsToTrial = betweenTrials;
    }
    boolean trial = --epochsToTrial < 0;
    beginEpoch(now, prefersFar != trial);
  }

  private void beginEpoch(long now, boolean farAhead) {
    begun = now == 0 ? 1 : now;
    far = farAhead;
    turnsLeft = TURNS_PER_EPOCH;
    inVain = 0;
  }

  /** How long an epoch of just so many turns would have taken; 0 if that cannot be told. */
  private long measured(long nanos) {
    if (turnsLeft > 0) {
      // Given up: turns are longer than anybody looks for them.
      return 2L * nearTook;
    }
    return Math.clamp(nanos, 0L, Integer.MAX_VALUE) * TURNS_PER_EPOCH / (TURNS_PER_EPOCH - turnsLeft);
  }

  /** What an epoch takes, by those before and this one: a core that was away for a while must not decide. */
  private static int smoothed(int before, long took) {
    long most = before == 0 ? Integer.MAX_VALUE : Math.max(2L * before, TURNS_PER_EPOCH);
    long now = Math.min(took, most);
    return (int) Math.min(before == 0 ? now : before + (now - before) / 4, Integer.MAX_VALUE / 2);
  }
}

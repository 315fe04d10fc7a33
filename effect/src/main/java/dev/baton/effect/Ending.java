// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.INTERRUPTED;

import dev.baton.host.Host;
import dev.baton.host.Native;
import dev.baton.internal.kernel.Failures;
import dev.baton.internal.outcome.Outcome;
import dev.baton.runtime.internal.CooperativeTask;
import dev.baton.runtime.internal.Residence;
import dev.baton.sync.Result;
import org.jspecify.annotations.Nullable;

/** What a run has made and can be waited for. */
abstract class Ending<T extends @Nullable Object> extends Outcome<T> implements Native {
  final EffectRun run;

  /** Its place among all that ended in the run; written before the result. */
  private long ended;

  /**
   * A task of the run that waits for it, and came before all that stand in the queue; null if there is none. Mostly nobody else waits:
   * and this one, which is woken by whoever has the turn, needs neither the queue nor its lock.
   */
  private @Nullable CooperativeTask waiter;

  Ending(EffectRun run) {
    this.run = run;
  }

  /** Ends with {@code result}. False: it had ended before. Called by one thread at a time: by whoever has the turn, unless it ends from outside. */
  final boolean end(Result<T> result) {
    if (resultOrNull() != null) {
      return false;
    }
    ended = endsFromOutside() ? run.ends().nextOutside() : run.ends().nextInside();
    CooperativeTask first = waiter;
    if (first != null) {
      // It does not run before this task gives up its turn, and finds the result then.
      waiter = null;
      run.residence().wake(first);
    }
    return settle(result);
  }

  /** Waits until it has ended. Called by the task that has the turn. GRANTED or INTERRUPTED. */
  final int awaitInTurn(CooperativeTask me) {
    if (waiter != null || waiting() > 0 || endsFromOutside() || areWaitsWatched()) {
      return await(this, true, FOREVER);
    }
    Residence residence = run.residence();
    waiter = me;
    try {
      // Before the result: when both are seen, the interrupt wins.
      while (!Thread.interrupted()) {
        if (resultOrNull() != null) {
          return GRANTED;
        }
        residence.sleep(this);
      }
      return INTERRUPTED;
    } finally {
      if (waiter == me) {
        waiter = null;
      }
    }
  }

  /** Its place among all that ended in the run. */
  final long place() {
    return ended;
  }

  @Override
  public final Host host() {
    return run.host();
  }

  /** The value of {@code result}, or its error, thrown as it is. */
  static <U extends @Nullable Object> U valueOf(Result<U> result) {
    return switch (result) {
      case Result.Ok<U>(U value) -> value;
      case Result.Err<U>(Throwable error) -> throw Failures.<RuntimeException>rethrow(error);
    };
  }
}

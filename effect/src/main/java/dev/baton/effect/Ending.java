// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.host.Host;
import dev.baton.host.Native;
import dev.baton.internal.kernel.Failures;
import dev.baton.internal.outcome.Outcome;
import dev.baton.sync.Result;
import org.jspecify.annotations.Nullable;

/** What a run has made and can be waited for. */
abstract class Ending<T extends @Nullable Object> extends Outcome<T> implements Native {
  final EffectRun run;

  /** When it ended, counted over all that ended in the run; written before the result. */
  private long ended;

  Ending(EffectRun run) {
    this.run = run;
  }

  /** Ends with {@code result}. False: it had ended before. Called by one thread at a time. */
  final boolean end(Result<T> result) {
    if (resultOrNull() != null) {
      return false;
    }
    ended = run.nextEnd();
    return settle(result);
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

// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.sync.Result;
import org.jspecify.annotations.Nullable;

/** The read side of a promise that somebody outside keeps. */
final class OuterFuture<T extends @Nullable Object> extends Ending<T> {
  OuterFuture(EffectRun run) {
    super(run);
  }

  /** Ends with {@code result}, called by any thread. False: it had ended before, or the run has. */
  boolean endFromAnywhere(Result<T> result) {
    synchronized (this) {
      return !run.isOver() && end(result);
    }
  }

  @Override
  public boolean endsFromOutside() {
    return true;
  }
}

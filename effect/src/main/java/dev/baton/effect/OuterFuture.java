// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.sync.Result;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** The read side of a promise that somebody outside keeps. */
final class OuterFuture<T extends @Nullable Object> extends Ending<T> {
  private static final VarHandle CLAIMED;

  static {
    try {
      CLAIMED = MethodHandles.lookup().findVarHandle(OuterFuture.class, "claimed", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Set once, by the one who ends it. Not a lock: to end it runs the callbacks of those who wait. */
  @SuppressWarnings("unused") // by CLAIMED
  private volatile boolean claimed;

  OuterFuture(EffectRun run) {
    super(run);
  }

  /** Ends with {@code result}, called by any thread. False: it had ended before, or the run has. */
  boolean endFromAnywhere(Result<T> result) {
    return !run.isOver() && CLAIMED.compareAndSet(this, false, true) && end(result);
  }

  @Override
  public boolean endsFromOutside() {
    return true;
  }
}

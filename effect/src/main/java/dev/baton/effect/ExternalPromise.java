// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.host.SwitchPoints;
import dev.baton.sync.Result;
import org.jspecify.annotations.Nullable;

/**
 * A value that somebody outside of the run will deliver, once: a thread, a callback. Made by {@link Effects#externalPromise}.
 *
 * <p>Its methods may be called by any thread. Called by a task of a run, they give up its turn first, as every operation of Baton's does. A
 * wait for it is no deadlock: the run waits too, and warns now and then.
 *
 * @param <T> the type of the value
 */
public final class ExternalPromise<T extends @Nullable Object> extends Promise<T> {
  private final OuterFuture<T> future;

  ExternalPromise(OuterFuture<T> future) {
    super(future);
    this.future = future;
  }

  /**
   * Delivers {@code value}. False: it was completed or failed before, or the run is over; nothing changes.
   *
   * @param value what all who wait for it get
   * @return false if it was completed or failed before, or the run is over; nothing changes
   */
  public boolean complete(T value) {
    SwitchPoints.reach(future);
    return future.endFromAnywhere(new Result.Ok<>(value));
  }

  /**
   * Delivers {@code error}, which is thrown as it is. False: it was completed or failed before, or the run is over.
   *
   * @param error what all who wait for it throw
   * @return false if it was completed or failed before, or the run is over; nothing changes
   */
  public boolean fail(Throwable error) {
    Result<T> failed = new Result.Err<>(error);
    SwitchPoints.reach(future);
    return future.endFromAnywhere(failed);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.sync.Waitable;
import org.jspecify.annotations.Nullable;

/**
 * A value that a task of this run will deliver, once, by {@link Effects#complete} or {@link Effects#fail}. Made by {@link
 * Effects#promise}.
 *
 * @param <T> the type of the value
 */
public sealed class Promise<T extends @Nullable Object> permits ExternalPromise {
  private final Ending<T> future;

  Promise(Ending<T> future) {
    this.future = future;
  }

  /** {@return what those wait for to whom it was promised: always the same object} */
  public final Waitable<T> future() {
    return future;
  }

  /** {@return whether it was completed or failed} */
  public final boolean isDone() {
    return future.resultOrNull() != null;
  }

  final Ending<T> ending() {
    return future;
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + "[" + future.describe() + "]";
  }
}

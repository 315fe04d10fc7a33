// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import dev.baton.host.Ledger;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.outcome.Outcome;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A value that somebody will deliver, once: the write side. Hand {@link #future()} to those who wait for it.
 *
 * {@snippet :
 * Promise<String> greeting = new Promise<>();
 * Thread.startVirtualThread(() -> greeting.complete("hello"));
 * String text = greeting.future().await();
 * }
 *
 * <p><b>Once.</b> The first {@link #complete} or {@link #fail} wins; later ones change nothing and return false.
 *
 * <p><b>Order.</b> Those who wait are woken in the order in which they came.
 *
 * <p><b>Memory effects.</b> What a thread did before completing the promise is seen by whoever has seen it completed.
 *
 * @param <T> the type of the value
 */
public final class Promise<T extends @Nullable Object> {
  private final Outcome<T> future = new Outcome<>();

  /** A promise that is not kept yet. */
  public Promise() {
    Ledger.made(future);
  }

  /**
   * Delivers {@code value} to all who wait and will wait. False: it was completed or failed before; nothing changes.
   *
   * @param value what all get; may be null if {@code T} allows it
   * @return false if it was completed or failed before; nothing changes
   */
  public boolean complete(T value) {
    SwitchPoints.reach(future);
    return future.settleWith(value);
  }

  /**
   * Delivers {@code error}, which is thrown as it is by all who wait. False: it was completed or failed before.
   *
   * @param error what all who wait throw
   * @return false if it was completed or failed before; nothing changes
   */
  public boolean fail(Throwable error) {
    Objects.requireNonNull(error, "error");
    SwitchPoints.reach(future);
    return future.settle(new Result.Err<>(error));
  }

  /** {@return whether the promise was completed or failed} */
  public boolean isDone() {
    return future.isDone();
  }

  /** {@return the read side: always the same object} */
  public Waitable<T> future() {
    return future;
  }

  @Override
  public String toString() {
    return "Promise@" + Integer.toHexString(System.identityHashCode(this)) + "[" + future.describe() + "]";
  }
}

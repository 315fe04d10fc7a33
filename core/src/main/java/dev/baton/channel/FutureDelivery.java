// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import dev.baton.internal.kernel.AsyncRequest;
import dev.baton.internal.kernel.WaitQueue;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A future that waits until a value was sent or received. Delivery wins: once that has happened it cannot be undone, so whoever
 * cancels the future, or times it out, comes too late.
 *
 * @param <T> what the future delivers
 */
abstract class FutureDelivery<T extends @Nullable Object> extends AsyncRequest<T> {
  private final Object primitive;
  private final String late;
  private final IntFunction<? extends Exception> failure;

  /**
   * A future in the line of {@code queue}.
   *
   * @param primitive what is waited for, as people know it
   * @param late what a time-out says
   * @param failure the error for an outcome that is no delivery
   */
  FutureDelivery(WaitQueue queue, Object primitive, String late, IntFunction<? extends Exception> failure) {
    super(queue, 0);
    this.primitive = primitive;
    this.late = late;
    this.failure = failure;
  }

  @Override
  protected final Object primitive() {
    return primitive;
  }

  @Override
  protected final boolean deliveryWins() {
    return true;
  }

  /** Does nothing: what was sent or seen stays so, even if nobody learns of it because the future was obtruded. */
  @Override
  protected void giveBack() {}

  @Override
  protected Exception failure(int outcome) {
    return failure.apply(outcome);
  }

  @Override
  protected final TimeoutException timeout() {
    return new TimeoutException(late);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Something that ends once, with a value or an error, and can be waited for: the read side of a {@link Promise} or a task.
 * Waiting takes nothing away: any number may wait, again and again, and all get the same.
 *
 * <p><b>Errors</b> are thrown as they are, not wrapped; checked ones too. What was cancelled throws {@link CancellationException}.
 *
 * <p><b>Memory effects.</b> What was done before it ended is seen by whoever has seen that it ended.
 *
 * @param <T> the type of the value
 */
public interface Waitable<T extends @Nullable Object> {

  /**
   * Waits for the end.
   *
   * @return the value
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing has changed
   * @throws Exception the error it ended with
   */
  T await() throws Exception;

  /**
   * Waits for the end, at most {@code timeout}: to the nanosecond; zero or less looks once; more than 292 years waits without a
   * deadline.
   *
   * @param timeout how long to wait at most; zero or less looks once
   * @return the value
   * @throws TimeoutException if the time passed first; nothing has changed
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing has changed
   * @throws Exception the error it ended with
   */
  T await(Duration timeout) throws Exception;

  /**
   * Waits for the end, ignoring interrupts; one that came is pending again on return.
   *
   * @return the value
   * @throws Exception the error it ended with
   */
  T awaitUninterruptibly() throws Exception;

  /** {@return whether it has ended} */
  boolean isDone();

  /** {@return how it ended, or empty if it has not} Never blocks. */
  Optional<Result<T>> outcome();

  /**
   * {@return a future that ends when this does, in the same way} Cancelling or completing it ends only the future
   * itself, which then waits no more. Callbacks run on the thread that ends this.
   */
  CompletableFuture<T> toCompletableFuture();
}

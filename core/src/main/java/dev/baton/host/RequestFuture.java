// SPDX-License-Identifier: Apache-2.0
package dev.baton.host;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A future that withdraws its request when somebody else completes it: cancel, time-out or a value of the user's own.
 *
 * @param <T> what it delivers
 */
public abstract class RequestFuture<T extends @Nullable Object> extends HostedFuture<T> {

  /** Not complete. */
  protected RequestFuture() {}

  /** Withdraws the request, then runs {@code completion}, which is foreign code and says whether it completed this future. */
  protected abstract boolean endBy(BooleanSupplier completion);

  /** Completes with the grant. False: somebody else was first. */
  public final boolean deliver(T grant) {
    return super.complete(grant);
  }

  /** Completes with {@code failure}, unless somebody else was first. */
  public final void fail(Throwable failure) {
    super.completeExceptionally(failure);
  }

  // The request leaves the queue first: whoever sees the future completed finds it gone.

  @Override
  public boolean complete(T value) {
    return end(() -> super.complete(value));
  }

  @Override
  public boolean completeExceptionally(Throwable failure) {
    Objects.requireNonNull(failure, "failure");
    return end(() -> super.completeExceptionally(failure));
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    return end(() -> super.cancel(mayInterruptIfRunning));
  }

  // The inherited form completes this future behind the methods above.
  @Override
  public CompletableFuture<T> completeAsync(Supplier<? extends T> supplier, Executor executor) {
    Objects.requireNonNull(supplier, "supplier");
    executor.execute(
        () -> {
          if (!isDone()) {
            try {
              complete(supplier.get());
            } catch (Throwable failure) {
              completeExceptionally(failure);
            }
          }
        });
    return this;
  }

  @Override
  public void obtrudeValue(T value) {
    complete(value);
    super.obtrudeValue(value);
  }

  @Override
  public void obtrudeException(Throwable failure) {
    completeExceptionally(failure);
    super.obtrudeException(failure);
  }

  private boolean end(BooleanSupplier completion) {
    SwitchPoints.reach(this);
    return isDone() ? completion.getAsBoolean() : endBy(completion);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.outcome;

import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.INTERRUPTED;
import static dev.baton.host.Waiter.TIMED_OUT;

import dev.baton.host.SwitchPoints;
import dev.baton.internal.kernel.AsyncRequest;
import dev.baton.internal.kernel.Completion;
import dev.baton.internal.kernel.Interrupts;
import dev.baton.internal.kernel.Nanos;
import dev.baton.internal.observe.Watch;
import dev.baton.sync.Result;
import dev.baton.sync.Waitable;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The read side of a promise or a task, and where its result is kept. */
public class Outcome<T extends @Nullable Object> extends Completion implements Waitable<T> {

  /** Pending. */
  public Outcome() {}

  /** Ends with {@code result}. False: it had ended before; nothing changes. */
  public final boolean settle(Result<T> result) {
    return complete(result);
  }

  @Override
  public final T await() throws Exception {
    SwitchPoints.reach(this);
    Interrupts.check();
    if (await(this, true, FOREVER) == INTERRUPTED) {
      throw new InterruptedException();
    }
    return settled().orThrow();
  }

  @Override
  public final T await(Duration timeout) throws Exception {
    long nanos = Nanos.of(timeout);
    SwitchPoints.reach(this);
    Interrupts.check();
    int outcome = await(this, true, nanos);
    if (outcome == INTERRUPTED) {
      throw new InterruptedException();
    }
    if (outcome == TIMED_OUT) {
      throw new TimeoutException("Waited " + timeout + " for " + this + "; it has not ended.");
    }
    return settled().orThrow();
  }

  @Override
  public final T awaitUninterruptibly() throws Exception {
    SwitchPoints.reach(this);
    await(this, false, FOREVER);
    return settled().orThrow();
  }

  @Override
  public final boolean isDone() {
    SwitchPoints.reach(this);
    return resultOrNull() != null;
  }

  @Override
  public final Optional<Result<T>> outcome() {
    SwitchPoints.reach(this);
    return typed() == null ? Optional.empty() : Optional.of(settled());
  }

  @Override
  public final CompletableFuture<T> toCompletableFuture() {
    SwitchPoints.reach(this);
    Mirror mirror = new Mirror();
    return mirror.submitted(register(mirror), FOREVER);
  }

  @Override
  public String toString() {
    return "Future@" + Integer.toHexString(System.identityHashCode(this)) + "[" + describe() + "]";
  }

  /** Without the value: how that shows itself is foreign code. */
  public final String describe() {
    return switch (typed()) {
      case null -> "pending";
      case Result.Ok<T> _ -> "completed";
      case Result.Err<T> failed -> "failed: " + failed.error().getClass().getName();
    };
  }

  @SuppressWarnings("unchecked") // only results of this type are put in
  private @Nullable Result<T> typed() {
    return (Result<T>) resultOrNull();
  }

  private Result<T> settled() {
    Result<T> now = typed();
    if (now == null) {
      throw new IllegalStateException("A wait for " + this + " was granted before it ended.");
    }
    seen();
    return now;
  }

  /** Whether anybody wants to know of waits: then all of them have to stand in the queue. */
  protected static boolean areWaitsWatched() {
    return Watch.seesWaits();
  }

  /** Somebody is told the result. Called by any thread, often. */
  protected void seen() {}

  /** A future of the JDK's that ends as this does. */
  private final class Mirror extends AsyncRequest<T> {
    Mirror() {
      super(Outcome.this, 0);
    }

    @Override
    protected Object primitive() {
      return Outcome.this;
    }

    @Override
    protected @Nullable Throwable error() {
      return settled() instanceof Result.Err<T> failed ? failed.error() : null;
    }

    @Override
    protected T value() {
      return ((Result.Ok<T>) settled()).value();
    }

    @Override
    protected void giveBack() {
      // Nothing was taken.
    }

    @Override
    protected Exception failure(int outcome) {
      return new IllegalStateException("A promise ends with its result, yet a wait ended with outcome " + outcome + ".");
    }
  }
}

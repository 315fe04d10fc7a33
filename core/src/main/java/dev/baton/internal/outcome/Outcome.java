// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.outcome;

import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.INTERRUPTED;
import static dev.baton.host.Waiter.TIMED_OUT;

import dev.baton.host.SwitchPoints;
import dev.baton.internal.kernel.AsyncRequest;
import dev.baton.internal.kernel.Completion;
import dev.baton.internal.kernel.Failures;
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

/**
 * The read side of a promise or a task, and where its result is kept.
 *
 * <p>A value is kept as it is: a {@link Result.Ok} around it would be one object more to make, and for whoever reads it to fetch, mostly from
 * another core. It is wrapped only if it could be taken for something else; see {@link #kept}.
 */
public class Outcome<T extends @Nullable Object> extends Completion implements Waitable<T> {
  private static final Result<?> NULL = new Result.Ok<@Nullable Object>(null);

  /** Pending. */
  public Outcome() {}

  /** Ends with {@code result}. False: it had ended before; nothing changes. */
  public final boolean settle(Result<T> result) {
    // Never made anew: whoever calls may be past the point where there must be room for that.
    return complete(result instanceof Result.Ok<T>(T value) && value != null && isItself(value) ? value : result);
  }

  /** Ends with {@code value}. False: it had ended before; nothing changes. */
  public final boolean settleWith(T value) {
    return complete(kept(value));
  }

  /** How {@code value} is kept: as it is, unless it is nothing, a result itself, or of the kind that those who wait are known by. */
  public static Object kept(@Nullable Object value) {
    if (value == null) {
      return NULL;
    }
    return isItself(value) ? value : new Result.Ok<>(value);
  }

  /** Whether {@code value} cannot be taken for anything else. */
  private static boolean isItself(Object value) {
    return !(value instanceof Result) && !standsForWaiting(value);
  }

  /** The result that is kept as {@code kept}. */
  @SuppressWarnings("unchecked") // only results and values of this type are put in
  public static <T extends @Nullable Object> Result<T> resultFrom(Object kept) {
    return kept instanceof Result ? (Result<T>) kept : new Result.Ok<>((T) kept);
  }

  /** The value that is kept as {@code kept}, which is not an error. */
  @SuppressWarnings("unchecked") // only values of this type are put in
  private T valueOf(Object kept) {
    return kept instanceof Result.Ok<?> wrapped ? (T) wrapped.value() : (T) kept;
  }

  /** How it has ended, or null if it has not. */
  public final @Nullable Result<T> resultIfEnded() {
    Object kept = resultOrNull();
    return kept == null ? null : resultFrom(kept);
  }

  @Override
  public final T await() throws Exception {
    SwitchPoints.reach(this);
    Interrupts.check();
    if (await(this, true, FOREVER) == INTERRUPTED) {
      throw new InterruptedException();
    }
    return valueOrThrow();
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
    return valueOrThrow();
  }

  @Override
  public final T awaitUninterruptibly() throws Exception {
    SwitchPoints.reach(this);
    await(this, false, FOREVER);
    return valueOrThrow();
  }

  @Override
  public final boolean isDone() {
    SwitchPoints.reach(this);
    return resultOrNull() != null;
  }

  @Override
  public final Optional<Result<T>> outcome() {
    SwitchPoints.reach(this);
    return resultOrNull() == null ? Optional.empty() : Optional.of(resultFrom(settled()));
  }

  /** The value of what must have ended, and well; if it has not, the caller should have done {@code first}. */
  protected final T valueOnceEnded(String first) {
    SwitchPoints.reach(this);
    if (resultOrNull() == null) {
      throw new IllegalStateException(this + " has not ended: " + first + ".");
    }
    Object kept = settled();
    if (kept instanceof Result.Err<?> failed) {
      throw new IllegalStateException(this + " has no result: look at its outcome first.", failed.error());
    }
    return valueOf(kept);
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
    return switch (resultOrNull()) {
      case null -> "pending";
      case Result.Err<?> failed -> "failed: " + failed.error().getClass().getName();
      default -> "completed";
    };
  }

  /** The value, or the error, thrown as it is. It has ended. */
  private T valueOrThrow() throws Exception {
    Object kept = settled();
    if (kept instanceof Result.Err<?> failed) {
      throw Failures.<Exception>rethrow(failed.error());
    }
    return valueOf(kept);
  }

  private Object settled() {
    Object now = resultOrNull();
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
      return settled() instanceof Result.Err<?> failed ? failed.error() : null;
    }

    @Override
    protected T value() {
      return valueOf(settled());
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

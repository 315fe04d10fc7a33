// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import static dev.baton.host.Waiter.GRANTED;

import dev.baton.host.Alternatives;
import dev.baton.internal.kernel.SelectRequest;
import dev.baton.internal.kernel.Selection;
import dev.baton.sync.Result;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The end of a stage that is not Baton's own. */
final class StageClause<T extends @Nullable Object, R extends @Nullable Object> extends WaitingClause<R> {
  private final CompletableFuture<T> future;
  private final Function<? super Result<T>, ? extends R> action;

  StageClause(CompletionStage<T> stage, Function<? super Result<T>, ? extends R> action) {
    this.action = Objects.requireNonNull(action, "action");
    this.future = stage instanceof CompletableFuture<T> itself && canBeAsked(itself) ? itself : mirror(stage);
  }

  /** Not so the minimal stages of the JDK, which are of the same class. */
  private static boolean canBeAsked(CompletableFuture<?> future) {
    try {
      future.isDone();
      return true;
    } catch (UnsupportedOperationException e) {
      return false;
    }
  }

  /** What only offers to be told of the end is told so once; only a CompletableFuture forgets those who wait no more. */
  private static <T extends @Nullable Object> CompletableFuture<T> mirror(CompletionStage<T> stage) {
    CompletableFuture<T> mirror = new CompletableFuture<>();
    stage.whenComplete(
        (value, error) -> {
          if (error == null) {
            mirror.complete(value);
          } else {
            mirror.completeExceptionally(error);
          }
        });
    return mirror;
  }

  @Override
  @Nullable Object poll() {
    return future.isDone() ? result() : null;
  }

  @Override
  Alternatives.Part awaited() {
    return new Alternatives.Part(future, 0);
  }

  @Override
  SelectRequest request(Selection selection, int index) {
    return new Waiting(selection, index);
  }

  @Override
  void submit(SelectRequest request) {
    Waiting waiting = (Waiting) request;
    // The one of these that ends takes its callback off the other: a future that lives long does not collect them.
    CompletableFuture.anyOf(future, waiting.withdrawn).whenComplete((value, error) -> waiting.end());
  }

  @Override
  void withdraw(SelectRequest request) {
    ((Waiting) request).withdrawn.complete(null);
  }

  @Override
  Object taken(SelectRequest request) {
    return result();
  }

  @Override
  void giveBack(SelectRequest request) {
    // Nothing was taken.
  }

  @Override
  @SuppressWarnings("unchecked") // from below
  R apply(Object taken) {
    return action.apply((Result<T>) taken);
  }

  private Result<T> result() {
    return future
        .handle((value, error) -> error == null ? new Result.Ok<>(value) : new Result.Err<T>(unwrap(error)))
        .join();
  }

  private static Throwable unwrap(Throwable error) {
    return error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
  }

  private static final class Waiting extends SelectRequest {
    final CompletableFuture<@Nullable Void> withdrawn = new CompletableFuture<>();

    Waiting(Selection selection, int index) {
      super(selection, index, 0);
    }

    void end() {
      if (claim()) {
        decide(GRANTED);
        wake();
      }
    }
  }
}

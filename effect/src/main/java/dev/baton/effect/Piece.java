// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.effect.Await.Begin;
import dev.baton.effect.Await.Call;
import dev.baton.effect.Await.Stage;
import dev.baton.effect.Await.Work;
import dev.baton.host.Host;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One piece of outside work, which keeps a promise when it ends. Called by any thread. */
final class Piece<T extends @Nullable Object> {
  private final Work<T> work;
  private final ExternalPromise<T> promise;
  private final Host starter;
  private final Runnable whenEnded;

  // Guarded by this.
  private boolean cancelled;
  private @Nullable Object worker;
  private @Nullable CompletionStage<?> stage;

  /** Work that keeps {@code promise}; then {@code whenEnded} is called with it. */
  Piece(Work<T> work, ExternalPromise<T> promise, Host starter, java.util.function.Consumer<Piece<T>> whenEnded) {
    this.work = work;
    this.promise = promise;
    this.starter = starter;
    this.whenEnded = () -> whenEnded.accept(this);
  }

  void begin() {
    switch (work) {
      case Stage<T>(CompletionStage<? extends T> bare) -> follow(bare);
      case Call<T> call -> start(() -> call(call));
      case Begin<T> begin -> start(() -> begin(begin));
    }
  }

  private void start(Runnable body) {
    synchronized (this) {
      if (!cancelled) {
        worker = starter.start("baton-await", body);
        return;
      }
    }
    end(null, new CancellationException("The work was cancelled before it began."));
  }

  private void call(Call<T> call) {
    T value;
    try {
      value = call.callable().call();
    } catch (Throwable failure) {
      end(null, failure);
      return;
    }
    end(value, null);
  }

  private void begin(Begin<T> begin) {
    CompletionStage<? extends T> begun;
    try {
      begun = begin.supplier().get();
      if (begun == null) {
        throw new NullPointerException("The supplier of awaited work has returned null in the place of a stage.");
      }
    } catch (Throwable failure) {
      end(null, failure);
      return;
    }
    try {
      follow(begun);
    } catch (Throwable refused) {
      // Stages are foreign code. Nobody else would ever end this piece, and all that stand in line wait for that.
      end(null, refused);
    }
  }

  private void follow(CompletionStage<? extends T> followed) {
    boolean late;
    synchronized (this) {
      stage = followed;
      worker = null;
      late = cancelled;
    }
    if (late) {
      abandon(followed);
    }
    followed.whenComplete((value, error) -> end(value, unwrapped(error)));
  }

  /** What a stage failed with: stages wrap what other stages failed with. */
  private static @Nullable Throwable unwrapped(@Nullable Throwable error) {
    return error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
  }

  @SuppressWarnings("NullAway") // null only if T may be, or there is an error
  private void end(@Nullable T value, @Nullable Throwable error) {
    synchronized (this) {
      worker = null;
      stage = null;
    }
    try {
      if (error == null) {
        promise.complete(value);
      } else {
        promise.fail(error);
      }
    } finally {
      whenEnded.run();
    }
  }

  /**
   * Nobody needs it any more: it is asked to end, and does not begin if it has not. True: it goes on, on a thread of ours, until it has
   * cleaned up.
   */
  boolean cancel() {
    Object running;
    CompletionStage<?> followed;
    synchronized (this) {
      cancelled = true;
      running = worker;
      followed = stage;
      if (running != null) {
        starter.interrupt(running);
      }
    }
    if (followed != null) {
      abandon(followed);
    } else if (running == null) {
      // Leaves the line, if it still stands there.
      whenEnded.run();
    }
    return running != null && work instanceof Call<T>;
  }

  /** Asks {@code abandoned} to end. It need not be able to: then it goes on, and nobody waits for it, nor does the next piece. */
  private void abandon(CompletionStage<?> abandoned) {
    try {
      abandoned.toCompletableFuture().cancel(true);
    } catch (RuntimeException refused) {
      // Stages may refuse to be futures.
    } finally {
      whenEnded.run();
    }
  }
}

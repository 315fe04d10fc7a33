// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for work outside of the run. Answer: its value; its error is thrown. If the task is cancelled meanwhile, so is the work. See
 * {@link Effects#await(Callable)}.
 *
 * @param work the work
 * @param <T> the type of its value
 */
public record Await<T extends @Nullable Object>(Work<T> work) implements Effect<T> {

  /** Checked. */
  public Await {
    Objects.requireNonNull(work, "work");
  }

  /**
   * Work outside of a run.
   *
   * @param <T> what the work ends with
   */
  public sealed interface Work<T extends @Nullable Object> {}

  /**
   * Blocking work, which gets a thread of its own.
   *
   * @param <T> what the work ends with
   * @param callable what to do; it may block
   */
  public record Call<T extends @Nullable Object>(Callable<? extends T> callable) implements Work<T> {
    /** Checked. */
    public Call {
      Objects.requireNonNull(callable, "callable");
    }
  }

  /**
   * Work that is begun by a supplier, and ends when the stage does that it returns.
   *
   * @param <T> what the work ends with
   * @param supplier what begins the work; it must not block
   */
  public record Begin<T extends @Nullable Object>(Supplier<? extends CompletionStage<? extends T>> supplier)
      implements Work<T> {
    /** Checked. */
    public Begin {
      Objects.requireNonNull(supplier, "supplier");
    }
  }

  /**
   * Work that goes on already, and is only waited for.
   *
   * @param <T> what the work ends with
   * @param stage what is waited for
   */
  public record Stage<T extends @Nullable Object>(CompletionStage<? extends T> stage) implements Work<T> {
    /** Checked. */
    public Stage {
      Objects.requireNonNull(stage, "stage");
    }
  }
}

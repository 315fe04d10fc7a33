// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.internal.outcome.Outcome;
import dev.baton.sync.Result;
import dev.baton.sync.Waitable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What can be waited for, and what cannot. */
final class Waitables {
  private Waitables() {}

  /** Refuses what the compiler has let through: null, and what raw types and casts hide. */
  static void require(@Nullable Object waitable, String effect) {
    if (!(waitable instanceof Waitable<?>)) {
      String what = waitable == null ? "null" : Texts.of(waitable) + " (" + waitable.getClass().getName() + ")";
      throw new IllegalArgumentException(
          effect
              + " needs a task or a future, not "
              + what
              + ". Spawn a program first and wait for the task; wait for outside work by await.");
    }
  }

  /** {@code waitables} as a list. */
  static <W> List<W> list(W @Nullable [] waitables, String effect) {
    if (waitables == null) {
      throw new IllegalArgumentException(effect + " needs tasks and futures, not null.");
    }
    return Arrays.asList(waitables);
  }

  /** {@code waitables} as a list. */
  static <W> List<W> list(@Nullable Collection<W> waitables, String effect) {
    if (waitables == null) {
      throw new IllegalArgumentException(effect + " needs tasks and futures, not null.");
    }
    return waitables instanceof List<W> list ? list : new ArrayList<>(waitables);
  }

  /** A copy of {@code waitables}, all of which are some. */
  static <W> List<W> requireAll(@Nullable List<W> waitables, String effect) {
    if (waitables == null) {
      throw new IllegalArgumentException(effect + " needs a list of tasks and futures, not null.");
    }
    List<W> copy = new ArrayList<>(waitables);
    for (@Nullable Object each : (List<?>) copy) {
      require(each, effect);
    }
    return Collections.unmodifiableList(copy);
  }

  /** Where the result of {@code waitable} is kept, or will be. */
  @SuppressWarnings("unchecked") // the mirror is given only values of this type
  static <T extends @Nullable Object> Outcome<T> outcomeOf(Waitable<T> waitable) {
    if (waitable instanceof Outcome<?> outcome) {
      return (Outcome<T>) outcome;
    }
    Outcome<T> mirror = new Outcome<>();
    waitable
        .toCompletableFuture()
        .whenComplete((value, error) -> mirror.settle(error == null ? new Result.Ok<>(value) : new Result.Err<>(error)));
    return mirror;
  }
}

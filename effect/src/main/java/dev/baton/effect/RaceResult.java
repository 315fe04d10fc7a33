// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.scope.Task;
import dev.baton.sync.Waitable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a race ended.
 *
 * @param first what ended first
 * @param value what it ended with
 * @param rest the others, in the order in which they were given; they go on
 * @param <T> the type of the value
 */
public record RaceResult<T extends @Nullable Object>(
    Waitable<? extends T> first, T value, List<Waitable<? extends T>> rest) {

  /** {@return those of {@link #rest} that are tasks, and can be told to stop: {@code result.losers().forEach(Effects::cancel)}} */
  public List<Task<?>> losers() {
    List<Task<?>> tasks = new ArrayList<>();
    for (Waitable<? extends T> each : rest) {
      if (each instanceof Task<?> task) {
        tasks.add(task);
      }
    }
    return List.copyOf(tasks);
  }
}

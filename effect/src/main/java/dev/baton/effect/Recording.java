// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.sync.Result;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What effects were answered with, task by task. Made by a {@link Recorder}. Immutable. */
public final class Recording {
  private final Map<Long, List<Entry>> tasks;
  private final Map<Class<?>, Function<Effect<?>, Object>> keys;

  Recording(Map<Long, List<Entry>> tasks, Map<Class<?>, Function<Effect<?>, Object>> keys) {
    this.tasks = Collections.unmodifiableMap(tasks);
    this.keys = Collections.unmodifiableMap(new LinkedHashMap<>(keys));
  }

  /**
   * One effect.
   *
   * @param task what the task is called that performed it
   * @param type its class
   * @param key what has to be equal in a replay: the effect itself, unless the recorder was told otherwise
   * @param answer what it was answered with; empty if its task was cancelled meanwhile, or its program was ended by a handler
   */
  public record Entry(String task, Class<?> type, Object key, Optional<Result<?>> answer) {}

  /**
   * {@return all that was recorded: task by task, in the order in which they first performed something, each in its own
   * order}
   */
  public List<Entry> entries() {
    return tasks.values().stream().flatMap(List::stream).toList();
  }

  /**
   * {@return handlers that answer from this recording, from its beginning: for one run}
   *
   * <p>An effect that is not the one that the same task performed at the same position is a {@link ReplayDivergedException}, thrown
   * where it is performed. Effects that were recorded and are not performed again are no error: see {@link Entry}.
   */
  public Handlers replay() {
    Replay replay = new Replay();
    Handlers all = Handlers.none();
    for (Map.Entry<Class<?>, Function<Effect<?>, Object>> entry : keys.entrySet()) {
      Function<Effect<?>, Object> key = entry.getValue();
      all = all.andAny(entry.getKey(), effect -> replay.answer(effect, key.apply(effect)));
    }
    return all.named("replay");
  }

  @Override
  public String toString() {
    return "Recording" + entries();
  }

  /** How far each task has come. */
  private final class Replay {
    private final Map<Long, Integer> positions = new HashMap<>();

    @Nullable Object answer(Effect<?> effect, Object key) throws Exception {
      EffectTask<?> me = EffectTask.current();
      List<Entry> recorded = tasks.getOrDefault(me.lineage, List.of());
      int position = positions.merge(me.lineage, 1, Integer::sum);
      if (position > recorded.size()) {
        throw new ReplayDivergedException(me.name(), position, Optional.empty(), effect);
      }
      Entry entry = recorded.get(position - 1);
      if (entry.type() != effect.getClass() || !Objects.equals(entry.key(), key)) {
        throw new ReplayDivergedException(me.name(), position, Optional.of(entry), effect);
      }
      if (entry.answer().isEmpty()) {
        return Effects.join(Effects.promise().future());
      }
      return entry.answer().get().orThrow();
    }
  }
}

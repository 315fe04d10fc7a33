// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.sync.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what effects are answered with, so that a program can run again without those who answered.
 *
 * {@snippet :
 * record Fetch(String url) implements Effect<String> {}
 *
 * Handlers network = Handlers.of(Fetch.class, fetch -> "page of " + fetch.url());
 * Program<Integer> program = () -> Effects.perform(new Fetch("/")).length();
 *
 * Recorder recorder = Recorder.create().of(Fetch.class);
 * Effects.run(program, Handlers.defaults().with(network).with(recorder.handlers()));
 * Recording recording = recorder.recording();
 *
 * Effects.run(program, Handlers.defaults().with(recording.replay())); // no network
 * }
 *
 * <p>What is recorded is each answer, or the error in its place, by the task that performed the effect, in the order in which that
 * task performed. So a replay need not follow the same schedule; but each task must spawn others in the same order. An effect during which
 * its task was cancelled has no answer; in a replay it waits until the task is cancelled again. Nor has one during which a resumable
 * handler outside has ended the program: that is no answer, and in a replay without that handler it waits in vain.
 *
 * <p>For one run at a time.
 */
public final class Recorder {
  /** Effects whose answers mean something in their own run only, or that run a program. */
  private static final Set<Class<?>> REFUSED =
      Set.of(
          Spawn.class,
          Wait.class,
          Gather.class,
          Race.class,
          Cancel.class,
          CreatePromise.class,
          CompletePromise.class,
          FailPromise.class,
          CreateExternalPromise.class,
          CreateSemaphore.class,
          AcquireSemaphore.class,
          TryAcquireSemaphore.class,
          ReleaseSemaphore.class,
          Try.class,
          Local.class,
          Listen.class);

  private final Map<Class<?>, Function<Effect<?>, Object>> keys = new LinkedHashMap<>();
  private final Map<Long, List<Slot>> tasks = new LinkedHashMap<>();

  private Recorder() {}

  /**
   * One that records nothing yet.
   *
   * @return a recorder that has recorded nothing yet
   */
  public static Recorder create() {
    return new Recorder();
  }

  /**
   * Effects of this class are recorded; in a replay they must be equal. Those of {@link Await}, which hold code, need only be
   * awaits.
   *
   * @param type the class of the effects
   * @return this recorder
   * @throws IllegalArgumentException if it is recorded already, or its answers mean nothing in another run: tasks, promises,
   *     semaphores, and what runs a program
   */
  @SuppressWarnings("rawtypes") // the class of an effect says nothing about its type arguments
  public Recorder of(Class<? extends Effect> type) {
    return add(type, type == Await.class ? effect -> type.getSimpleName() : effect -> effect);
  }

  /**
   * Like {@link #of(Class)}, but in a replay only {@code key} of them must be equal: for effects that hold code, or what differs from
   * run to run.
   *
   * @param <E> the class of the effects
   * @param type the class of the effects
   * @param key what of an effect must be equal in a replay
   * @return this recorder
   */
  @SuppressWarnings({"rawtypes", "unchecked"}) // as above; and it is asked about effects of this class only
  public <E extends Effect> Recorder of(Class<E> type, Function<? super E, ?> key) {
    Objects.requireNonNull(key, "key");
    return add(type, (Function<Effect<?>, Object>) key);
  }

  private Recorder add(Class<?> type, Function<Effect<?>, Object> key) {
    if (REFUSED.contains(Objects.requireNonNull(type, "type"))) {
      throw new IllegalArgumentException(
          type.getSimpleName() + " cannot be recorded: its answer belongs to its own run. Record what the program asks the world for.");
    }
    if (keys.putIfAbsent(type, key) != null) {
      throw new IllegalArgumentException(type.getName() + " is recorded already.");
    }
    return this;
  }

  /**
   * To be put inside of the handlers that answer: each effect goes on to them.
   *
   * @return a set of handlers that answers nothing itself
   */
  public Handlers handlers() {
    Handlers all = Handlers.none();
    for (Map.Entry<Class<?>, Function<Effect<?>, Object>> entry : keys.entrySet()) {
      Function<Effect<?>, Object> key = entry.getValue();
      all = all.andAny(entry.getKey(), effect -> record(effect, key));
    }
    return all.named("recorder");
  }

  private @Nullable Object record(Effect<?> effect, Function<Effect<?>, Object> key) throws Exception {
    EffectTask<?> me = EffectTask.current();
    Slot slot = new Slot(me.name(), effect.getClass(), key.apply(effect));
    tasks.computeIfAbsent(me.lineage, lineage -> new ArrayList<>()).add(slot);
    Result<?> result = Kept.<@Nullable Object>result(() -> Effects.perform(effect));
    slot.answer = result;
    return result.orThrow();
  }

  /** {@return what was recorded until now} */
  public Recording recording() {
    Map<Long, List<Recording.Entry>> all = new LinkedHashMap<>();
    tasks.forEach((lineage, slots) -> all.put(lineage, slots.stream().map(Slot::entry).toList()));
    return new Recording(all, keys);
  }

  /** One effect, and its answer once that is known. */
  private static final class Slot {
    private final String task;
    private final Class<?> type;
    private final Object key;
    private @Nullable Result<?> answer;

    Slot(String task, Class<?> type, Object key) {
      this.task = task;
      this.type = type;
      this.key = key;
    }

    Recording.Entry entry() {
      return new Recording.Entry(task, type, key, Optional.ofNullable(answer));
    }
  }
}

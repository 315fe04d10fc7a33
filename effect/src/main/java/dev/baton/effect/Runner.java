// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.check.Check;
import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.internal.kernel.Failures;
import dev.baton.runtime.Clock;
import dev.baton.runtime.Cooperative;
import dev.baton.runtime.Engine;
import dev.baton.runtime.Policy;
import dev.baton.runtime.Priority;
import dev.baton.runtime.Stall;
import dev.baton.runtime.internal.CooperativeHost;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Runs programs: with which handlers, in which environment, from which state, in which order, by which clock.
 *
 * {@snippet :
 * RunResult<Integer> result =
 *     Runner.create()
 *         .state(Map.of("count", 41))
 *         .policy(Policy.seeded(7))
 *         .run(() -> Effects.<Integer>modify("count", n -> n + 1));
 * System.out.println(result.value() + " " + result.state()); // 42 {count=42}
 * }
 *
 * <p>One task runs at a time. Every effect is a point at which another may go on: a task that performs one first gives up its turn,
 * to the tail of those of its own priority; then the effect is answered, and the task goes on without another switch, unless one of
 * a higher priority can run by now.
 *
 * <p>A run ends when its program has ended. Tasks that are left are cancelled and may clean up. What the program throws, and a
 * deadlock, are part of the result.
 *
 * <p>Called by a task of a cooperative run, as in a {@code Check}, the program runs there: by the policy, the clock and the engine of
 * that run. There is a deadlock only if nobody in that run can go on, and then it ends that run, not only the program.
 *
 * <p>Immutable: each method that sets something returns a new object.
 */
public final class Runner {
  private final Handlers handlers;
  private final Map<Object, @Nullable Object> environment;
  private final Map<Object, @Nullable Object> state;
  private final @Nullable Priority priority;
  private final Cooperative world;

  private Runner(
      Handlers handlers,
      Map<Object, @Nullable Object> environment,
      Map<Object, @Nullable Object> state,
      @Nullable Priority priority,
      Cooperative world) {
    this.handlers = handlers;
    this.environment = environment;
    this.state = state;
    this.priority = priority;
    this.world = world;
  }

  /**
   * {@link Handlers#defaults}, an empty environment and state, round robin, the machine's clock.
   *
   * @return a runner with {@link Handlers#defaults}, an empty environment and state, round robin and the machine's clock
   */
  public static Runner create() {
    return new Runner(Handlers.defaults(), Map.of(), Map.of(), null, Cooperative.create().clock(Clock.real()));
  }

  /**
   * Who answers effects; {@link Handlers#defaults} unless set.
   *
   * @param newHandlers asked from the innermost set to the outermost
   * @return a runner with that setting; this one stays as it is
   */
  public Runner handlers(Handlers newHandlers) {
    return new Runner(Objects.requireNonNull(newHandlers, "handlers"), environment, state, priority, world);
  }

  /**
   * What {@link Effects#ask} finds; nothing unless set.
   *
   * @param values by their keys; copied
   * @return a runner with that setting; this one stays as it is
   */
  public Runner environment(Map<?, ? extends @Nullable Object> values) {
    return new Runner(handlers, copy(values), state, priority, world);
  }

  /**
   * What {@link Effects#get} finds at first; nothing unless set.
   *
   * @param values by their keys; copied
   * @return a runner with that setting; this one stays as it is
   */
  public Runner state(Map<?, ? extends @Nullable Object> values) {
    return new Runner(handlers, environment, copy(values), priority, world);
  }

  /**
   * The priority of the first task; {@link Priority#NORMAL} unless set.
   *
   * @param newPriority that of task 0, which those that it spawns inherit
   * @return a runner with that setting; this one stays as it is
   */
  public Runner priority(Priority newPriority) {
    return new Runner(handlers, environment, state, Objects.requireNonNull(newPriority, "priority"), world);
  }

  /**
   * Who runs next; {@link Policy#roundRobin} unless set.
   *
   * @param policy asked at every step
   * @return a runner with that setting; this one stays as it is
   */
  public Runner policy(Policy policy) {
    return in(w -> w.policy(policy));
  }

  /**
   * What time it is; {@link Clock#real} unless set.
   *
   * @param clock what {@link Effects#sleep} and {@link Effects#now} go by
   * @return a runner with that setting; this one stays as it is
   */
  public Runner clock(Clock clock) {
    return in(w -> w.clock(clock));
  }

  /**
   * How tasks are switched; {@link Engine#best} unless set.
   *
   * @param engine one that {@link Engine#isAvailable is available}
   * @return a runner with that setting; this one stays as it is
   */
  public Runner engine(Engine engine) {
    return in(w -> w.engine(engine));
  }

  /**
   * Where the randomness of Baton's own choices comes from; 0 unless set.
   *
   * @param seed any number; the same one gives the same choices
   * @return a runner with that setting; this one stays as it is
   */
  public Runner seed(long seed) {
    return in(w -> w.seed(seed));
  }

  /**
   * After how long without any progress {@link #onStall} is told; two seconds unless set.
   *
   * @param time how long, by the machine's clock; positive
   * @return a runner with that setting; this one stays as it is
   */
  public Runner stallAfter(Duration time) {
    return in(w -> w.stallAfter(time));
  }

  /**
   * Who is told of a stall; a warning in the log unless set.
   *
   * @param listener told once for each stall
   * @return a runner with that setting; this one stays as it is
   */
  public Runner onStall(Consumer<Stall> listener) {
    return in(w -> w.onStall(listener));
  }

  private Runner in(UnaryOperator<Cooperative> change) {
    return new Runner(handlers, environment, state, priority, change.apply(world));
  }

  private static Map<Object, @Nullable Object> copy(Map<?, ? extends @Nullable Object> values) {
    Map<Object, @Nullable Object> copy = new HashMap<>(Objects.requireNonNull(values, "values"));
    if (copy.containsKey(null)) {
      throw new NullPointerException("A key is null: an environment, as a state, has values under keys.");
    }
    return Collections.unmodifiableMap(copy);
  }

  // ---- running ----

  /**
   * Runs {@code program}, and returns when it and all its tasks have ended. If the caller is interrupted, the first task is
   * cancelled, and the interrupt is pending again on return.
   *
   * @param <T> what the program returns
   * @param program what to run as the first task
   * @return the value or the error, and what the run has left
   * @throws IllegalArgumentException if the handlers are for {@link #runAsync} only; nothing has run
   */
  public <T extends @Nullable Object> RunResult<T> run(Program<? extends T> program) {
    Objects.requireNonNull(program, "program");
    handlers.checkFor(false);
    return execute(program, false);
  }

  /**
   * Runs {@code program} in the background. Cancelling the future cancels the first task, and the run ends as soon as all have cleaned
   * up.
   *
   * @param <T> what the program returns
   * @param program what to run as the first task
   * @return a future that ends with the result of the run
   */
  public <T extends @Nullable Object> CompletableFuture<RunResult<T>> runAsync(Program<? extends T> program) {
    Objects.requireNonNull(program, "program");
    Host host = Hosts.current();
    dev.baton.sync.Promise<RunResult<T>> done = new dev.baton.sync.Promise<>();
    Object runner =
        host.start(
            "baton-run",
            () -> {
              try {
                done.complete(execute(program, true));
              } catch (Throwable failure) {
                done.fail(failure);
                throw failure;
              }
            });
    CompletableFuture<RunResult<T>> future = done.future().toCompletableFuture();
    future.whenComplete(
        (result, error) -> {
          if (future.isCancelled()) {
            host.interrupt(runner);
          }
        });
    return future;
  }

  /**
   * {@return a check of {@code program}: it runs under many schedules, and in each of them it is to return a value, and no task is to
   *     fail without anybody noticing}
   *
   * @param <T> what the program returns
   * @param program what to run as the first task
   */
  public <T extends @Nullable Object> Check check(Program<? extends T> program) {
    Objects.requireNonNull(program, "program");
    return Check.that(
        () -> {
          RunResult<T> result = execute(program, true);
          result.orThrow();
          if (!result.unobservedFailures().isEmpty()) {
            throw Failures.<Exception>rethrow(result.unobservedFailures().getFirst().error());
          }
        });
  }

  private <T extends @Nullable Object> RunResult<T> execute(Program<? extends T> program, boolean mayOverlap) {
    Execution<T> execution =
        new Execution<>(program, handlers, PersistentMap.of(environment), PersistentMap.of(state), priority, mayOverlap);
    return Hosts.current() instanceof CooperativeHost host ? execution.in(host) : execution.in(world);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.host.SwitchPoints;
import dev.baton.observe.Baton;
import dev.baton.observe.Tracking;
import dev.baton.runtime.internal.CooperativeHost;
import dev.baton.runtime.internal.Observer;
import dev.baton.runtime.internal.Problem;
import dev.baton.runtime.internal.RunEnd;
import dev.baton.runtime.internal.RunSettings;
import dev.baton.runtime.internal.StepRecorder;
import dev.baton.runtime.internal.Watch;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs plain blocking code as cooperative tasks: one runs at a time, and they switch only at operations of Baton's, in an order
 * that the {@link Policy} chooses. Same program, same policy, no outside input: the same order, step for step.
 *
 * {@snippet :
 * Duration took = Cooperative.create().policy(Policy.seeded(42)).run(() -> {
 *   Instant start = Time.now();
 *   Scope.run(scope -> {
 *     scope.fork(() -> { Time.sleep(Duration.ofHours(8)); return null; });
 *     scope.fork(() -> { Time.sleep(Duration.ofHours(1)); return null; });
 *     scope.join();
 *   });
 *   return Duration.between(start, Time.now()); // eight hours, in a few milliseconds
 * });
 * }
 *
 * <p>Everything in Baton runs unmodified on it: semaphores, locks, scopes, time-outs. Tasks are those of a {@code Scope}; a thread
 * started otherwise is an ordinary thread, which may share primitives with the tasks: what it does arrives from outside. Make such
 * primitives before the run: a wait for one that was made inside, and that only a foreign thread would end, counts as a deadlock.
 *
 * <p><b>The end.</b> A run ends when its program has returned and every task it started has ended; tasks that are left are
 * interrupted, may clean up, and are thrown out of their waits if they do not end. If no task can run and nothing outside is
 * awaited, the run ends with a {@link DeadlockException}.
 *
 * <p><b>Waiting outside of Baton</b> (a foreign lock, a socket, {@code Thread.sleep}) keeps the turn on the portable engine: nothing
 * else runs meanwhile, and after a while {@link #onStall} is told who waits where. On the stepped engine the others go on.
 *
 * <p>Immutable: each method that sets something returns a new object.
 */
public final class Cooperative {
  /** A longer one cannot be counted in nanoseconds everywhere. */
  private static final Duration LONGEST_STALL = Duration.ofDays(365);

  private static final System.Logger LOGGER = System.getLogger(Cooperative.class.getName());

  private final Policy policy;
  private final Clock clock;
  private final Engine engine;
  private final long seed;
  private final Duration stallAfter;
  private final Consumer<Stall> onStall;
  private final @Nullable Consumer<Step> onStep;

  private Cooperative(
      Policy policy,
      Clock clock,
      Engine engine,
      long seed,
      Duration stallAfter,
      Consumer<Stall> onStall,
      @Nullable Consumer<Step> onStep) {
    this.policy = policy;
    this.clock = clock;
    this.engine = engine;
    this.seed = seed;
    this.stallAfter = stallAfter;
    this.onStall = onStall;
    this.onStep = onStep;
  }

  /** {@return a world with round robin, virtual time and the best engine there is} */
  public static Cooperative create() {
    return new Cooperative(
        Policy.roundRobin(),
        Clock.virtual(),
        Engine.best(),
        0,
        Duration.ofSeconds(2),
        stall -> LOGGER.log(System.Logger.Level.WARNING, stall.toString()),
        null);
  }

  /**
   * Who runs next; {@link Policy#roundRobin} unless set.
   *
   * @param newPolicy asked at every step
   * @return a world with that setting; this one stays as it is
   */
  public Cooperative policy(Policy newPolicy) {
    return new Cooperative(
        Objects.requireNonNull(newPolicy, "policy"), clock, engine, seed, stallAfter, onStall, onStep);
  }

  /**
   * What time it is; {@link Clock#virtual()} unless set.
   *
   * @param newClock what timers and {@link dev.baton.scope.Time} go by
   * @return a world with that setting; this one stays as it is
   */
  public Cooperative clock(Clock newClock) {
    return new Cooperative(policy, Objects.requireNonNull(newClock, "clock"), engine, seed, stallAfter, onStall, onStep);
  }

  /**
   * How tasks are switched; {@link Engine#best} unless set.
   *
   * @param newEngine one that {@link Engine#isAvailable is available}
   * @return a world with that setting; this one stays as it is
   * @throws IllegalStateException if it is not available in this JVM
   */
  public Cooperative engine(Engine newEngine) {
    requireAvailable(newEngine);
    return new Cooperative(policy, clock, newEngine, seed, stallAfter, onStall, onStep);
  }

  /**
   * Where the randomness of Baton's own choices comes from; 0 unless set.
   *
   * @param newSeed any number; the same one gives the same choices
   * @return a world with that setting; this one stays as it is
   */
  public Cooperative seed(long newSeed) {
    return new Cooperative(policy, clock, engine, newSeed, stallAfter, onStall, onStep);
  }

  /**
   * After how long without any progress {@link #onStall} is told; two seconds unless set, and at most a year.
   *
   * @param time how long, by the machine's clock; positive
   * @return a world with that setting; this one stays as it is
   * @throws IllegalArgumentException if it is not positive
   */
  public Cooperative stallAfter(Duration time) {
    if (Objects.requireNonNull(time, "time").isNegative() || time.isZero()) {
      throw new IllegalArgumentException("A stall lasts some time: " + time + " is not positive.");
    }
    Duration countable = time.compareTo(LONGEST_STALL) > 0 ? LONGEST_STALL : time;
    return new Cooperative(policy, clock, engine, seed, countable, onStall, onStep);
  }

  /**
   * Who is told of a stall, on whatever thread notices it; a warning in the log unless set. What it throws ends the run.
   *
   * @param listener told once for each stall
   * @return a world with that setting; this one stays as it is
   */
  public Cooperative onStall(Consumer<Stall> listener) {
    return new Cooperative(
        policy, clock, engine, seed, stallAfter, Objects.requireNonNull(listener, "listener"), onStep);
  }

  /**
   * Who is told of every step, in order. It must not operate on Baton's primitives. What it throws ends the run.
   *
   * @param listener told once for each step, before the next one
   * @return a world with that setting; this one stays as it is
   */
  public Cooperative onStep(Consumer<Step> listener) {
    return new Cooperative(
        policy, clock, engine, seed, stallAfter, onStall, Objects.requireNonNull(listener, "listener"));
  }

  /**
   * Runs {@code program} as the first task, and returns what it returns once all has ended. An interrupt of the caller interrupts
   * the first task.
   *
   * @param <T> what the program returns
   * @param program what to run, as task 0
   * @return what {@code program} returned
   * @throws InterruptedException if the caller is interrupted on entry, then nothing has run; or if the program throws it
   * @throws Exception what the program throws
   * @throws DeadlockException if no task can run any more
   * @throws IllegalStateException if called by a task of a run
   */
  public <T extends @Nullable Object> T run(Callable<T> program) throws Exception {
    Objects.requireNonNull(program, "program");
    if (Hosts.current() instanceof CooperativeHost) {
      throw new IllegalStateException("A run is going on already: a task cannot begin another one. Call the program instead.");
    }
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    Execution<T> execution = new Execution<>(program);
    execution.watch.run(execution, () -> {}, host -> execution.interrupt());
    return execution.result();
  }

  /**
   * Like {@link #run(Callable)}, for a program that returns nothing.
   *
   * @param program what to run, as task 0
   * @throws Exception what {@code program} threw, itself; or see {@link #run(Callable)}
   */
  public void run(VoidProgram program) throws Exception {
    Objects.requireNonNull(program, "program");
    run(
        () -> {
          program.run();
          return null;
        });
  }

  /** A program that returns nothing. */
  @FunctionalInterface
  public interface VoidProgram {

    /**
     * Runs.
     *
     * @throws Exception what the caller of {@link Cooperative#run(VoidProgram)} gets
     */
    void run() throws Exception;
  }

  // ---- for tasks ----

  /** Lets others run, if the policy chooses them. Does nothing outside of a run. */
  public static void yieldNow() {
    SwitchPoints.reach(Cooperative.class);
  }

  /**
   * {@return the priority of the calling task}
   *
   * @throws IllegalStateException outside of a run
   */
  public static Priority priority() {
    return host().priority();
  }

  /**
   * Sets the priority of the calling task, and of the tasks that it starts from now on.
   *
   * @param priority that of the task from its next step on
   * @throws IllegalStateException outside of a run
   */
  public static void setPriority(Priority priority) {
    host().setPriority(Objects.requireNonNull(priority, "priority"));
  }

  private static CooperativeHost host() {
    Host current = Hosts.current();
    if (current instanceof CooperativeHost host) {
      return host;
    }
    throw new IllegalStateException("This thread is not a task of a cooperative run, and has no priority.");
  }

  static void requireAvailable(Engine engine) {
    if (!Objects.requireNonNull(engine, "engine").isAvailable()) {
      throw new IllegalStateException(
          "The stepped engine is not available in this JVM: start it with " + Engine.STEPPED_FLAG + ", or use the portable one.");
    }
  }

  /** One run. */
  private final class Execution<T extends @Nullable Object> implements Runnable {
    private final Callable<T> program;
    private final Watch watch = new Watch(engine, stallAfter, false, this::stalled);
    private @Nullable T value;
    private @Nullable Throwable failure;
    private @Nullable RunEnd end;
    private volatile @Nullable CooperativeHost host;
    private volatile boolean interrupted;
    private volatile @Nullable Throwable listenerFailure;

    Execution(Callable<T> program) {
      this.program = program;
    }

    @Override
    public void run() {
      try {
        boolean lines = Baton.tracking() == Tracking.STACKS;
        Observer observer = onStep == null ? Observer.NOBODY : new StepRecorder(lines, onStep);
        CooperativeHost made =
            new CooperativeHost(
                new RunSettings(
                    policy.begin(), clock, engine, seed, false, lines, Long.MAX_VALUE, observer, stallAfter, this::stalled));
        host = made;
        watch.observe(made);
        if (interrupted) {
          made.interruptRoot();
        }
        end = made.run("main", this::call);
      } catch (Throwable unexpected) {
        failure = unexpected;
      }
    }

    /** The caller was interrupted: the program is to know. It answers for both, so the caller's own interrupt is used up. */
    void interrupt() {
      interrupted = true;
      CooperativeHost running = host;
      if (running != null) {
        running.interruptRoot();
      }
    }

    /** Something stalls. Called by the driver, or by whoever watches. */
    private void stalled(Stall stall) {
      try {
        onStall.accept(stall);
      } catch (Throwable thrown) {
        // Kept as well: the run may end in this very moment, and be past stopping.
        listenerFailure = thrown;
        Objects.requireNonNull(host).stop(thrown);
      }
    }

    private void call() {
      try {
        value = program.call();
      } catch (Throwable thrown) {
        failure = thrown;
      }
    }

    @SuppressWarnings("NullAway") // null only if T may be
    T result() throws Exception {
      if (end != null) {
        // Nobody keeps the result of whoever threw these: told as a thread would be.
        Thread caller = Thread.currentThread();
        end.uncaught().forEach(thrown -> caller.getUncaughtExceptionHandler().uncaughtException(caller, thrown));
      }
      if (failure instanceof InterruptedException) {
        Thread.interrupted();
      }
      if (end != null && end.problem() instanceof Problem.Deadlock deadlock) {
        throw new DeadlockException(deadlock.graph());
      }
      if (end != null && end.problem() instanceof Problem.Stopped(Throwable thrown, _)) {
        failure = thrown;
      } else if (listenerFailure != null) {
        failure = listenerFailure;
      }
      return switch (failure) {
        case null -> value;
        case Exception exception -> throw exception;
        case Error error -> throw error;
        default -> throw new IllegalStateException(failure);
      };
    }
  }
}

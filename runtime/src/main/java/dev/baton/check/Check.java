// SPDX-License-Identifier: Apache-2.0
package dev.baton.check;

import dev.baton.check.TrialObserver.Invariant;
import dev.baton.host.Hosts;
import dev.baton.runtime.Engine;
import dev.baton.runtime.Stall;
import dev.baton.runtime.internal.CooperativeHost;
import dev.baton.runtime.internal.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program under many schedules, in virtual time, and says what went wrong under which: a deadlock, an exception, an
 * invariant that does not hold, a task or a permit left behind, a program that does not end.
 *
 * {@snippet :
 * Report report = Check.that(() -> {
 *   Mutex left = new Mutex();
 *   Mutex right = new Mutex();
 *   Scope.run(scope -> {
 *     scope.fork(() -> left.withLock(() -> right.withLock(() -> "one")));
 *     scope.fork(() -> right.withLock(() -> left.withLock(() -> "the other")));
 *     scope.join();
 *   });
 * }).seeds(1_000).search();
 * System.out.println(report); // the deadlock, who waits for whom at which line, and how to see it again
 * }
 *
 * <p>It works on unmodified code that uses Baton's primitives: tasks are switched at every operation of theirs, and nowhere else.
 * The program makes all of its state itself; what survives from one run to the next is found by running one schedule twice.
 *
 * <p>A search that finds nothing proves nothing, unless {@link Report#complete} says that these were all schedules within the bound;
 * and even then it speaks only of switches at Baton's operations: data races on plain fields between them are not seen.
 *
 * <p>Immutable: each method that sets something returns a new object.
 */
public final class Check {
  static final Duration STALL_AFTER = Duration.ofSeconds(2);

  private static final int SEEDS = 1_000;
  private static final int ALL = 100_000;
  private static final long STEPS = 20_000;

  private final Program program;
  private final List<Invariant> invariants;
  private final Strategy strategy;
  private final long most;
  private final long firstSeed;
  private final @Nullable Duration timeLimit;
  private final long stepLimit;
  private final Engine engine;
  private final boolean allowLeaks;
  private final Consumer<Progress> onProgress;
  private final Runnable afterRun;
  private final Supplier<String> explainDifference;

  private Check(Builder builder) {
    this.program = builder.program;
    this.invariants = builder.invariants;
    this.strategy = builder.strategy;
    this.most = builder.most;
    this.firstSeed = builder.firstSeed;
    this.timeLimit = builder.timeLimit;
    this.stepLimit = builder.stepLimit;
    this.engine = builder.engine;
    this.allowLeaks = builder.allowLeaks;
    this.onProgress = builder.onProgress;
    this.afterRun = builder.afterRun;
    this.explainDifference = builder.explainDifference;
  }

  /**
   * {@return a check of {@code program}: 1,000 seeds of random schedules, unless told otherwise}
   *
   * @param program what to run, once for each schedule; it must not depend on what earlier runs have left
   */
  public static Check that(Program program) {
    return new Check(new Builder(Objects.requireNonNull(program, "program")));
  }

  // ---- what is searched ----

  /**
   * How many schedules are run at most; 1,000 unless set, or 100,000 of an exhaustive search.
   *
   * @param n at least 1
   * @return a check with that setting; this one stays as it is
   * @throws IllegalArgumentException if it is less than 1
   */
  public Check seeds(long n) {
    if (n < 1) {
      throw new IllegalArgumentException("A check runs at least 1 schedule, not " + n + ".");
    }
    return with(b -> b.most = n);
  }

  /**
   * The first seed; 0 unless set.
   *
   * @param seed any number; those that follow are one more each
   * @return a check with that setting; this one stays as it is
   */
  public Check firstSeed(long seed) {
    return with(b -> b.firstSeed = seed);
  }

  /**
   * Stops after so long, however many schedules were run; without {@link #seeds}, only then.
   *
   * @param limit by the machine's clock; positive
   * @return a check with that setting; this one stays as it is
   * @throws IllegalArgumentException if it is not positive
   */
  public Check time(Duration limit) {
    Objects.requireNonNull(limit, "limit");
    if (limit.isNegative() || limit.isZero()) {
      throw new IllegalArgumentException("A check takes some time: " + limit + " is not positive.");
    }
    return with(b -> b.timeLimit = limit);
  }

  /**
   * Which schedules are tried; {@link Strategy#random} unless set.
   *
   * @param newStrategy what makes the schedules
   * @return a check with that setting; this one stays as it is
   */
  public Check strategy(Strategy newStrategy) {
    Objects.requireNonNull(newStrategy, "strategy");
    return with(b -> b.strategy = newStrategy);
  }

  /**
   * Tries all schedules with at most two pre-emptions: for small programs.
   *
   * @return a check with that setting; this one stays as it is
   */
  public Check exhaustive() {
    return exhaustive(Strategy.Exhaustive.PREEMPTIONS);
  }

  /**
   * Tries all schedules in which a task that could go on loses its turn at most {@code preemptions} times.
   *
   * @param preemptions how often in one run; 0 or more
   * @return a check with that setting; this one stays as it is
   * @throws IllegalArgumentException if that is negative
   */
  public Check exhaustive(int preemptions) {
    return strategy(new Strategy.Exhaustive(preemptions));
  }

  /**
   * How many steps one run may take before it counts as a livelock; 20,000 unless set.
   *
   * @param limit at least 1
   * @return a check with that setting; this one stays as it is
   * @throws IllegalArgumentException if it is less than 1
   */
  public Check steps(long limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("A run takes at least 1 step, not " + limit + ".");
    }
    return with(b -> b.stepLimit = limit);
  }

  /**
   * Something that must hold at every step, and in the end. It may look at primitives, but not wait for them.
   *
   * @param name how the report calls it
   * @param holds asked at every step; must not wait
   * @return a check with that setting; this one stays as it is
   */
  public Check invariant(String name, BooleanSupplier holds) {
    Invariant added = new Invariant(Objects.requireNonNull(name, "name"), Objects.requireNonNull(holds, "holds"));
    return with(b -> b.invariants.add(added));
  }

  /**
   * From inside a program: something that must hold from now on, at every step and in the end. Does nothing outside of a check.
   *
   * @param name how the report calls it
   * @param holds asked at every step; must not wait
   */
  public static void always(String name, BooleanSupplier holds) {
    Invariant added = new Invariant(Objects.requireNonNull(name, "name"), Objects.requireNonNull(holds, "holds"));
    if (Hosts.current() instanceof CooperativeHost host && host.observer() instanceof TrialObserver observer) {
      observer.add(added);
    }
  }

  /**
   * Lets the program end with tasks alive and permits held.
   *
   * @return a check with that setting; this one stays as it is
   */
  public Check allowLeaks() {
    return with(b -> b.allowLeaks = true);
  }

  /**
   * How tasks are switched; {@link Engine#best} unless set. The schedules are the same.
   *
   * @param newEngine one that {@link Engine#isAvailable is available}
   * @return a check with that setting; this one stays as it is
   * @throws IllegalStateException if it is not available in this JVM
   */
  public Check engine(Engine newEngine) {
    Objects.requireNonNull(newEngine, "engine");
    if (!newEngine.isAvailable()) {
      throw new IllegalStateException(
          "The stepped engine is not available in this JVM: start it with " + Engine.STEPPED_FLAG + ", or use the portable one.");
    }
    return with(b -> b.engine = newEngine);
  }

  /**
   * Who is told now and then how far the search has come, on the calling thread. What it throws ends the search.
   *
   * @param listener told how many schedules were run, and of how many
   * @return a check with that setting; this one stays as it is
   */
  public Check onProgress(Consumer<Progress> listener) {
    Objects.requireNonNull(listener, "listener");
    return with(b -> b.onProgress = listener);
  }

  /**
   * For those who know more about the program's state than a check does: {@code afterEachRun} is called after every run, and {@code
   * explanation} is asked, and added to the report, when two runs of the same schedule differ.
   *
   * @param afterEachRun called after every run, on the thread of the check
   * @param explanation asked for what to add to the report, when two runs of one schedule were not the same
   * @return a check with that setting; this one stays as it is
   */
  public Check explainingDifferences(Runnable afterEachRun, Supplier<String> explanation) {
    Objects.requireNonNull(afterEachRun, "afterEachRun");
    Objects.requireNonNull(explanation, "explanation");
    return with(
        b -> {
          b.afterRun = afterEachRun;
          b.explainDifference = explanation;
        });
  }

  // ---- searching ----

  /**
   * Searches, and returns what was found. An interrupt of the caller ends the search after the present run.
   *
   * @return the report, also if something was found
   */
  public Report search() {
    return watched(Search::run);
  }

  /**
   * Searches, as a test does.
   *
   * @return the report, in which nothing was found
   * @throws CheckFailedError if something was found; its message is the report
   */
  public Report run() {
    return search().orThrow();
  }

  /**
   * Runs the one schedule again that a report names, and shows it as the report did.
   *
   * @param schedule as a report names it, such as {@code random:5}
   * @return the report of this one run
   * @throws IllegalArgumentException if {@code schedule} names none
   */
  public Report replay(String schedule) {
    Objects.requireNonNull(schedule, "schedule");
    Replay replay = Replay.parse(schedule, strategy);
    return watched(search -> search.replay(replay));
  }

  /**
   * Runs the schedule of this seed again.
   *
   * @param seed one that the {@link #strategy} has a schedule for
   * @return the report of this one run
   */
  public Report replay(long seed) {
    return replay(Long.toString(seed));
  }

  private Report watched(java.util.function.Function<Search, Report> work) {
    if (Hosts.current() instanceof CooperativeHost) {
      throw new IllegalStateException("A check cannot begin inside of a run or another check: begin it on an ordinary thread.");
    }
    Watch watch = new Watch(engine, STALL_AFTER, true, stall -> {});
    Search search = new Search(this, watch);
    AtomicReference<@Nullable Report> report = new AtomicReference<>();
    AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();
    AtomicReference<@Nullable Throwable> refused = new AtomicReference<>();
    Stall stall =
        watch.run(
            () -> {
              try {
                report.set(work.apply(search));
              } catch (Throwable failure) {
                broken.set(failure);
              }
            },
            () -> {
              try {
                onProgress.accept(new Progress(search.schedules(), most(), search.elapsed()));
              } catch (RuntimeException | Error thrown) {
                refused.compareAndSet(null, thrown);
                search.cancel();
              }
            },
            host -> search.cancel());
    switch (refused.get()) {
      case RuntimeException exception -> throw exception;
      case Error error -> throw error;
      case null, default -> {}
    }
    Throwable failure = broken.get();
    if (failure instanceof IllegalArgumentException noSchedule) {
      throw noSchedule;
    }
    if (failure != null) {
      throw new IllegalStateException("The check itself failed; this is a bug in Baton.", failure);
    }
    Report done = report.get();
    return done != null ? done : abandoned(search, Objects.requireNonNull(stall));
  }

  /** The task that has the turn never came back, so that the search could not end either. */
  private Report abandoned(Search search, Stall stall) {
    Failure failure =
        new Failure(Kind.BLOCKED_OUTSIDE, stall.toString(), null, "", List.of(), 0, Trial.NOBODY_WAITS);
    return new Report(search.schedules(), search.operations(), false, search.elapsed(), strategy, engine, Optional.of(failure));
  }

  // ---- for the search ----

  Program program() {
    return program;
  }

  List<Invariant> invariants() {
    return invariants;
  }

  Strategy strategy() {
    return strategy;
  }

  long most() {
    if (most > 0) {
      return most;
    }
    return timeLimit != null ? Long.MAX_VALUE : strategy instanceof Strategy.Exhaustive ? ALL : SEEDS;
  }

  long firstSeed() {
    return firstSeed;
  }

  @Nullable Duration timeLimit() {
    return timeLimit;
  }

  long stepLimit() {
    return stepLimit;
  }

  Engine engine() {
    return engine;
  }

  boolean allowsLeaks() {
    return allowLeaks;
  }

  void afterRun() {
    afterRun.run();
  }

  String explainDifference() {
    String explanation = explainDifference.get();
    return explanation.isEmpty() ? "" : "\n" + explanation;
  }

  private Check with(Consumer<Builder> change) {
    Builder builder = new Builder(this);
    change.accept(builder);
    return new Check(builder);
  }

  private static final class Builder {
    final Program program;
    final List<Invariant> invariants;
    Strategy strategy = Strategy.random();

    /** 0 if not set. */
    long most;

    long firstSeed;
    @Nullable Duration timeLimit;
    long stepLimit = STEPS;
    Engine engine;
    boolean allowLeaks;
    Consumer<Progress> onProgress = progress -> {};
    Runnable afterRun = () -> {};
    Supplier<String> explainDifference = () -> "";

    Builder(Program program) {
      this.program = program;
      this.invariants = new ArrayList<>();
      this.engine = Engine.best();
    }

    Builder(Check check) {
      this.program = check.program;
      this.invariants = new ArrayList<>(check.invariants);
      this.strategy = check.strategy;
      this.most = check.most;
      this.firstSeed = check.firstSeed;
      this.timeLimit = check.timeLimit;
      this.stepLimit = check.stepLimit;
      this.engine = check.engine;
      this.allowLeaks = check.allowLeaks;
      this.onProgress = check.onProgress;
      this.afterRun = check.afterRun;
      this.explainDifference = check.explainDifference;
    }
  }
}

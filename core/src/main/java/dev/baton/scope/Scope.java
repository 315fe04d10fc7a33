// SPDX-License-Identifier: Apache-2.0
package dev.baton.scope;

import dev.baton.host.Frames;
import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.host.Ledger;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.kernel.Failures;
import dev.baton.internal.kernel.Interrupts;
import dev.baton.observe.Baton;
import dev.baton.scope.Nursery.Phase;
import dev.baton.sync.Result;
import dev.baton.sync.Semaphore;
import dev.baton.sync.VoidBody;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * A block that tasks are forked in and that none of them outlives.
 *
 * {@snippet :
 * int sum;
 * try (Scope scope = Scope.open()) {
 *   Task<Integer> a = scope.fork(() -> 40);
 *   Task<Integer> b = scope.fork(() -> 2);
 *   scope.join();
 *   sum = a.result() + b.result();
 * }
 * }
 *
 * <p><b>Fail-fast.</b> The first task that fails has all others cancelled, which means interrupted, and {@link #join} throws that
 * very error, checked or not, with later ones suppressed in it. An owner that is blocked elsewhere in its block is interrupted;
 * {@link #call} turns that interrupt into the error; with try-with-resources the {@link InterruptedException} has a
 * {@link ScopeFailedException} suppressed in it that names the error. With {@link #collectAll()} failures stop nobody, and
 * {@link #results} tells how each task ended.
 *
 * <p><b>Leaving.</b> {@link #close} cancels what still runs and waits for it. So leaving the block early, by return or by throw,
 * leaves nothing behind: no thread, no timer, and no interrupt of the scope's own. (The JVM keeps one interrupt flag per thread:
 * an interrupt from outside that arrives after one of the scope's own cannot be told from it, and goes with it.)
 *
 * <p><b>Deadlines</b> are inherited by scopes inside and by their tasks. When one passes, tasks and owner are interrupted and
 * {@link #join} or {@link #close} throws {@link DeadlineExceededException}.
 *
 * <p><b>Threads.</b> Only the task that opened the scope may configure, join and close it; it and tasks inside may fork. Each fork
 * runs on a virtual thread of its own, with the {@link ContextCarrier contexts} of the one who forked.
 *
 * <p><b>Memory effects.</b> What was done before a fork is seen in the task, and what a task did is seen after it was joined.
 */
public final class Scope implements AutoCloseable {
  /** From so many on, interrupting them all is too long a job for the timer's own thread. */
  private static final int MANY = 1_000;

  private final Host host = Hosts.current();
  private final Nursery nursery;
  private final Nesting nesting;

  // Written by the owner before it forks.
  private Policy policy;
  private ContextCarrier[] carriers;
  private final Deadline deadline;

  /** Whether the owner has been given the failure. */
  private boolean reported;

  /** What went wrong in scopes that were left open inside, and nobody has been told. */
  private @Nullable Throwable leftInside;

  private Scope(Policy policy) {
    this.policy = policy;
    Object owner = host.currentTask();
    nesting = new Nesting(this, owner);
    Scope outer = nesting.outer();
    carriers = outer == null ? Context.NONE : outer.carriers;
    deadline = new Deadline(host, outer == null ? null : outer.deadline);
    // Last, and so a cache line away from this and the policy: each fork writes there, and each fork that ends reads here.
    nursery = new Nursery(host, owner);
    nesting.enter();
  }

  /**
   * Opens a scope that fails fast. Close it in the same method: by try-with-resources.
   *
   * @return the scope, which belongs to the calling thread
   */
  public static Scope open() {
    return new Scope(new Policy.FailFast());
  }

  /**
   * Runs {@code body} in a scope of its own, as if between {@link #open} and {@link #close}. Other than with try-with-resources,
   * a body that ends because the scope interrupted it throws what went wrong in the scope, not the interrupt.
   *
   * @param <T> what the work returns
   * @param body what to do in the scope, which is closed when it ends
   * @return what {@code body} returned
   * @throws Exception what the body threw, or the first failure of a fork
   */
  public static <T extends @Nullable Object> T call(ScopeBody<T> body) throws Exception {
    Objects.requireNonNull(body, "body");
    Scope scope = open();
    T value;
    try {
      value = body.run(scope);
    } catch (Throwable thrown) {
      if (thrown instanceof InterruptedException && scope.deadline.isPast()) {
        // A scope inside shares the deadline, and its timer was first to interrupt.
        scope.expire();
      }
      scope.shutAll();
      throw Failures.<Exception>rethrow(scope.reasonFor(thrown));
    }
    scope.shutAll();
    scope.throwFailure();
    return value;
  }

  /**
   * Like {@link #call}, also when it is interrupted, for a body without a value.
   *
   * @param body what to do in the scope, which is closed when it ends
   * @throws Exception what the body threw, or the first failure of a fork
   */
  public static void run(VoidScopeBody body) throws Exception {
    Objects.requireNonNull(body, "body");
    call(
        scope -> {
          body.run(scope);
          return null;
        });
  }

  /**
   * See {@link #firstSuccess(Collection)}. Interrupted, or with a value, it returns when all tasks have ended.
   *
   * @param <T> what the work returns
   * @param tasks what to try; one at least, none null
   * @return the first value
   * @throws Exception see {@link #firstSuccess(Collection)}
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  public static <T extends @Nullable Object> T firstSuccess(Callable<? extends T>... tasks) throws Exception {
    return firstSuccess(Arrays.asList(Objects.requireNonNull(tasks, "tasks")));
  }

  /**
   * Runs {@code tasks} side by side and returns the first value; the others are interrupted and have ended on return.
   *
   * @param <T> what the work returns
   * @param tasks what to try; one at least, none null
   * @return the first value
   * @throws IllegalArgumentException if there are no tasks
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; all tasks have ended
   * @throws DeadlineExceededException if an inherited deadline passed first; all tasks have ended
   * @throws Exception if all failed: the last error, with the others suppressed in it
   */
  public static <T extends @Nullable Object> T firstSuccess(Collection<? extends Callable<? extends T>> tasks)
      throws Exception {
    Objects.requireNonNull(tasks, "tasks").forEach(task -> Objects.requireNonNull(task, "a task is null"));
    List<Callable<? extends T>> copy = List.copyOf(tasks);
    if (copy.isEmpty()) {
      throw new IllegalArgumentException("No tasks, so none can succeed: give at least one.");
    }
    Interrupts.check();
    Policy.FirstSuccess race = new Policy.FirstSuccess();
    try (Scope scope = new Scope(race)) {
      for (Callable<? extends T> task : copy) {
        scope.start(scope.newFork(task), false);
      }
      scope.join();
      @SuppressWarnings("unchecked") // only tasks of this type were forked
      Fork<T> first = (Fork<T>) race.winner();
      if (first != null) {
        return first.result();
      }
      throw Failures.<Exception>rethrow(Objects.requireNonNull(scope.nursery.lastFailureWithOthers()));
    }
  }

  /**
   * {@return how much time the deadlines of the scopes around the caller leave; empty if there is none, zero if it has
   * passed}
   */
  public static Optional<Duration> timeLeft() {
    Scope scope = Nesting.around(Hosts.current().currentTask());
    return scope == null ? Optional.empty() : scope.deadline.left();
  }

  /** The carriers of the scopes around the caller. */
  static ContextCarrier[] carriersHere() {
    Scope scope = Nesting.around(Hosts.current().currentTask());
    return scope == null ? Context.NONE : scope.carriers;
  }

  // ---- before the first fork ----

  /**
   * Lets failures stop nobody: {@link #join} waits for all tasks and {@link #results} tells how each ended.
   *
   * @return this scope
   * @throws IllegalStateException if something was forked before, or the scope has been joined or closed; nothing changes
   */
  public Scope collectAll() {
    return configure(
        "collect all results",
        () -> {
          if (nursery.hasForked()) {
            throw new IllegalStateException("Cannot collect all results after a fork: do so before the first one in " + this + ".");
          }
          policy = new Policy.CollectAll();
        });
  }

  /**
   * Lets at most {@code n} tasks run at a time: {@link #fork} then waits before it starts a thread.
   *
   * @param n how many at a time; at least 1
   * @return this scope
   * @throws IllegalArgumentException if {@code n} is less than 1
   * @throws IllegalStateException if the scope has running tasks or has been joined or closed; nothing changes
   */
  public Scope limit(int n) {
    if (n < 1) {
      standAside();
      throw new IllegalArgumentException("A limit of " + n + " would let no task run: expected at least 1.");
    }
    return configure(
        "change the limit",
        () -> {
          if (!nursery.limitedBy(Semaphore.of(n))) {
            throw whileTasksRun("change the limit");
          }
        });
  }

  /**
   * Ends the scope after {@code time}, unless a deadline around it comes first.
   *
   * @param time from now on; positive
   * @return this scope
   * @throws IllegalArgumentException if {@code time} is zero or negative
   * @throws IllegalStateException if the scope has running tasks or an open scope inside, or has been joined or closed; nothing changes
   */
  public Scope deadline(Duration time) {
    return inherited("set a deadline", () -> endIn(time));
  }

  /**
   * Ends the scope at {@code time}, unless a deadline around it comes first.
   *
   * @param time by the wall clock of the world in which the caller runs
   * @return this scope
   * @throws IllegalArgumentException if {@code time} has passed
   * @throws IllegalStateException if the scope has running tasks or an open scope inside, or has been joined or closed; nothing changes
   */
  public Scope deadline(Instant time) {
    return inherited("set a deadline", () -> endIn(Duration.between(host.now(), Objects.requireNonNull(time, "time"))));
  }

  /**
   * Gives it a name, by which {@link Baton#named}, dumps, flight recordings and metrics know it until it is closed.
   *
   * @param name what it is for, such as "import"; other things may have the same name
   * @return this scope
   * @throws IllegalArgumentException if the name is blank
   * @throws IllegalStateException if it has another name already, has running tasks or has been joined or closed; nothing changes
   */
  public Scope named(String name) {
    return configure("change the name", () -> nursery.name(name));
  }

  private void endIn(Duration time) {
    Objects.requireNonNull(time, "time");
    if (time.isNegative() || time.isZero()) {
      throw new IllegalArgumentException("A deadline in " + time + " has passed already: expected a positive duration.");
    }
    // More than a century is no deadline, and cannot be counted in nanoseconds much further.
    if (time.toDays() < 36_500) {
      deadline.limitTo(time.toNanos());
      deadline.startTimer(this::passed);
    }
  }

  /**
   * Lets tasks of this scope, and of scopes inside, have what {@code more} capture at each fork.
   *
   * @param more asked at each fork, on the thread that forks
   * @return this scope
   * @throws IllegalStateException if the scope has running tasks or an open scope inside, or has been joined or closed; nothing changes
   */
  public Scope carry(ContextCarrier... more) {
    return inherited(
        "carry more context",
        () -> {
          for (ContextCarrier carrier : more) {
            Objects.requireNonNull(carrier, "a carrier is null");
          }
          carriers = Context.with(carriers, more);
        });
  }

  /**
   * Lets tasks of this scope, and of scopes inside, have what {@code values} are bound to at each fork.
   *
   * @param values what to carry; those that are not bound at a fork are not carried
   * @return this scope
   * @throws IllegalStateException if the scope has running tasks or an open scope inside, or has been joined or closed; nothing changes
   */
  public Scope carry(ScopedValue<?>... values) {
    return inherited("carry more context", () -> carriers = Context.with(carriers, ContextCarrier.of(values)));
  }

  /** Changes what scopes inside inherit when they are opened. */
  private Scope inherited(String what, Runnable change) {
    return configure(
        what,
        () -> {
          if (nesting.hasInside()) {
            throw new IllegalStateException(
                "Cannot " + what + " while a scope inside is open, which would not have it: do so before, in " + this + ".");
          }
          change.run();
        });
  }

  private Scope configure(String what, Runnable change) {
    try {
      requireConfigurable(what);
      change.run();
    } catch (RuntimeException refused) {
      standAside();
      throw refused;
    }
    stepIn();
    return this;
  }

  /**
   * A setting was refused. If that was in the head of a try-with-resources, nobody has this scope and nobody will close it. So
   * until it is used again it is not there: no timer, and not around anything.
   */
  private void standAside() {
    if (!nursery.hasForked() && nesting.standAside()) {
      deadline.stopTimer();
    }
  }

  /** It is used after all. */
  private void stepIn() {
    if (nesting.stepIn() && deadline.isSet()) {
      deadline.startTimer(this::passed);
    }
  }

  // ---- forking ----

  /**
   * Starts {@code work} as a task of this scope. Under a {@link #limit} it first waits until it may run.
   *
   * @param <T> what the work returns
   * @param work what to do, on a virtual thread of its own
   * @return the task, which has been started; its result can be read after {@link #join}
   * @throws InterruptedException if the caller is interrupted while it waits for the limit, or on entry if there is one; nothing
   *     was started
   * @throws CancellationException if the scope has failed (the failure is the cause) or is being closed; nothing was started
   * @throws DeadlineExceededException if its deadline has passed; nothing was started
   * @throws IllegalStateException if the scope has been joined or closed
   * @throws WrongThreadException if the caller is neither the task that opened this scope nor a task inside
   */
  public <T extends @Nullable Object> Task<T> fork(Callable<? extends T> work) throws InterruptedException {
    Fork<T> fork = newFork(work);
    do {
      fork.limitedBy(nursery.limit());
      acquirePermit(fork);
    } while (!start(fork, true));
    return fork;
  }

  /**
   * Like {@link #fork(Callable)}, also when it is interrupted, for work without a value.
   *
   * @param work what to do, on a virtual thread of its own
   * @return the task, which has been started
   * @throws InterruptedException if the caller is interrupted while it waits for the limit; nothing was started
   */
  public Task<@Nullable Void> fork(VoidBody<? extends Exception> work) throws InterruptedException {
    return fork(callable(work));
  }

  /**
   * Starts {@code work} if the {@link #limit} lets it run now. Never blocks.
   *
   * @param <T> what the work returns
   * @param work what to do, on a virtual thread of its own
   * @return empty if the limit is reached; nothing was started
   * @throws CancellationException if the scope has failed (the failure is the cause) or is being closed; nothing was started
   * @throws DeadlineExceededException if its deadline has passed; nothing was started
   * @throws IllegalStateException if the scope has been joined or closed
   * @throws WrongThreadException if the caller is neither the task that opened this scope nor a task inside
   */
  public <T extends @Nullable Object> Optional<Task<T>> tryFork(Callable<? extends T> work) {
    Fork<T> fork = newFork(work);
    do {
      fork.limitedBy(nursery.limit());
      if (!fork.tryAcquirePermit()) {
        requireGoingOn();
        return Optional.empty();
      }
    } while (!start(fork, true));
    return Optional.of(fork);
  }

  /**
   * Like {@link #tryFork(Callable)}, for work without a value.
   *
   * @param work what to do, on a virtual thread of its own
   * @return the task; empty if the limit is reached, and nothing was started
   */
  public Optional<Task<@Nullable Void>> tryFork(VoidBody<? extends Exception> work) {
    return tryFork(callable(work));
  }

  private static Callable<@Nullable Void> callable(VoidBody<? extends Exception> work) {
    Objects.requireNonNull(work, "work");
    return () -> {
      work.run();
      return null;
    };
  }

  private <T extends @Nullable Object> Fork<T> newFork(Callable<? extends T> work) {
    Objects.requireNonNull(work, "work");
    SwitchPoints.reach(nursery);
    requireInside();
    requireOpen();
    requireInPlace();
    stepIn();
    // Finding out where costs several times as much as the fork.
    StackTraceElement site = Baton.tracking().isOn() ? Frames.callingLine() : null;
    return new Fork<>(this, work, Context.capture(carriers), site);
  }

  private void acquirePermit(Fork<?> fork) throws InterruptedException {
    try {
      fork.acquirePermit();
    } catch (InterruptedException interrupt) {
      if (nursery.isStopped()) {
        throw stopped();
      }
      throw interrupt;
    }
  }

  /**
   * Starts a fork that has its permit. Whatever goes wrong, the permit goes back.
   *
   * @return false: it was not started, since the limit is another now
   */
  private boolean start(Fork<?> fork, boolean must) {
    if (deadline.isPast() && !nursery.isStopped()) {
      // The timer is late, or has not been started because nothing was forked before.
      fork.releasePermit();
      throw deadlineExceeded();
    }
    switch (admit(fork)) {
      case ADMITTED -> {}
      case LIMITED_OTHERWISE -> {
        fork.releasePermit();
        return false;
      }
      case STOPPED -> {
        fork.releasePermit();
        if (must) {
          throw stopped();
        }
        return true;
      }
      case OVER -> {
        fork.releasePermit();
        throw over();
      }
    }
    try {
      policy.forked(fork);
      if (deadline.isSet()) {
        deadline.startTimer(this::passed);
      }
      host.start(fork.name(), fork);
      // From now on it is the fork's.
      fork.handOverPermit();
    } catch (Throwable noThread) {
      fork.releasePermit();
      policy.refused(fork);
      nursery.remove(fork);
      fork.discard(noThread);
      throw noThread;
    }
    return true;
  }

  private Nursery.Admission admit(Fork<?> fork) {
    try {
      return nursery.admit(fork);
    } catch (Throwable noRoom) {
      fork.releasePermit();
      throw noRoom;
    }
  }

  // ---- the end ----

  /**
   * Waits until all tasks have ended.
   *
   * @throws InterruptedException if the caller is interrupted from outside on entry or while waiting; the tasks go on, and the
   *     scope can be joined again. If a task has failed by then, the caller's next wait in the block is interrupted for that
   * @throws DeadlineExceededException if the deadline passed first; all tasks have ended
   * @throws Exception the first failure of a task, itself, with later ones suppressed in it; all tasks have ended
   * @throws IllegalStateException if the scope has been joined or closed
   * @throws WrongThreadException if the caller did not open this scope
   */
  public void join() throws Exception {
    SwitchPoints.reach(nursery);
    requireOwner("join");
    requireOpen();
    stepIn();
    if (nursery.enter(Phase.JOINING)) {
      takeInterruptAway();
    }
    if (deadline.isPast()) {
      // What the clock says counts, not how late the timer is.
      expire();
    }
    if (Thread.interrupted() || !nursery.awaitAll(true)) {
      if (!deadline.isPast() || !isInterruptedFromAround()) {
        if (nursery.reopen()) {
          Thread.currentThread().interrupt();
        }
        throw new InterruptedException();
      }
      // The scopes around share the deadline, and one of them was first to interrupt.
      expire();
      nursery.awaitAll(false);
      restoreInterrupt();
    }
    nursery.enter(Phase.JOINED);
    deadline.stopTimer();
    throwFailure();
  }

  /**
   * Cancels what still runs and waits, ignoring interrupts, until it has ended. Scopes opened inside and not closed are closed
   * first. Closing again does nothing.
   *
   * <p>An error never gets lost because a block was left without joining, be it this one or one left open inside. But a task
   * that fails after it was cancelled does not count.
   *
   * @throws ScopeFailedException if a task failed and {@link #join} has not thrown its error, which is the cause
   * @throws DeadlineExceededException if the deadline has passed and {@link #join} has not said so
   * @throws WrongThreadException if the caller did not open this scope
   */
  @Override
  public void close() {
    if (nursery.phase() == Phase.CLOSED) {
      return;
    }
    requireOwner("close");
    SwitchPoints.reach(nursery);
    shutAll();
    Throwable failure = unreported();
    if (failure instanceof DeadlineExceededException) {
      throw new DeadlineExceededException(failure.getMessage(), failure);
    }
    if (failure != null) {
      throw new ScopeFailedException(this + " was left without joining after a task had failed.", failure);
    }
  }

  /**
   * {@return how each task ended, in the order in which they were forked}
   *
   * @throws IllegalStateException if the scope does not {@link #collectAll} or has not been joined or closed
   */
  public List<Result<?>> results() {
    boolean over = nursery.phase() == Phase.JOINED || nursery.phase() == Phase.CLOSED;
    if (over && policy instanceof Policy.CollectAll collected) {
      return collected.results();
    }
    throw new IllegalStateException("Results are collected by collectAll(), and there after join().");
  }

  @Override
  public String toString() {
    Semaphore permits = nursery.limit();
    String limit = permits == null ? "" : ", limit " + permits.limit();
    return "Scope" + nursery.shownName() + "@" + Integer.toHexString(System.identityHashCode(this)) + "[" + nursery.phase() + ", "
        + nursery.size() + " forked" + limit + "]";
  }

  // ---- for forks and for scopes inside ----

  Host host() {
    return host;
  }

  Nesting nesting() {
    return nesting;
  }

  boolean cancel(Fork<?> fork) {
    return nursery.cancel(fork);
  }

  void awaitInterrupt() {
    nursery.awaitInterrupt();
  }

  /** The body of {@code fork} has ended, with {@code error} unless that is null. {@code stopped}: after it was told to. */
  void ended(Fork<?> fork, @Nullable Throwable error, boolean stopped) {
    policy.ended(fork, error, stopped, nursery);
  }

  /** Closes what a task has opened and left open, innermost first. Returns what went wrong there and nobody has been told. */
  static @Nullable Throwable closeAllOf(Fork<?> fork) {
    Throwable failure = null;
    for (Scope scope = fork.innermost; scope != null; scope = fork.innermost) {
      failure = scope.shutLeftOpen(failure);
    }
    return failure;
  }

  // ---- inside ----

  private void shutAll() {
    if (nursery.phase() == Phase.CLOSED) {
      // It is not among the open ones any more: all that are found there are around it.
      return;
    }
    Scope inner = nesting.innermostInside();
    while (inner != null && inner != this) {
      Scope next = inner.nesting.enclosing();
      leftInside = inner.shutLeftOpen(leftInside);
      inner = next;
    }
    shut();
  }

  private @Nullable Throwable shutLeftOpen(@Nullable Throwable earlier) {
    shut();
    Throwable failure = unreported();
    return failure == null ? earlier : Failures.join(earlier, failure);
  }

  private void shut() {
    try {
      if (deadline.isDue()) {
        // What the clock says counts, not how late the timer is.
        nursery.expireAwake(deadlineExceeded());
      }
    } finally {
      shutNow();
    }
  }

  private void shutNow() {
    boolean interrupted = nursery.enter(Phase.CLOSING);
    nursery.stop(null, false);
    nursery.awaitAllInAnyCase();
    nursery.enter(Phase.CLOSED);
    deadline.stopTimer();
    deadline.awaitTask();
    nesting.leave();
    nursery.over();
    if (interrupted) {
      takeInterruptAway();
    }
  }

  /** Clears the interrupt that this scope has sent, but not one that is meant for a scope or task around it. */
  private void takeInterruptAway() {
    Thread.interrupted();
    restoreInterrupt();
  }

  private void restoreInterrupt() {
    if (isInterruptedFromAround()) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether a scope or task around this scope has sent its owner an interrupt. */
  private boolean isInterruptedFromAround() {
    boolean sent = nesting.isOwnerStopping();
    for (Scope scope = nesting.enclosing(); scope != null && !sent; scope = scope.nesting.enclosing()) {
      sent = scope.nursery.isOwnerInterrupted();
    }
    return sent;
  }

  private void throwFailure() throws Exception {
    Throwable failure = unreported();
    if (failure instanceof DeadlineExceededException) {
      // Made by the timer: where the owner learns of it says more.
      failure.fillInStackTrace();
    }
    if (failure != null) {
      throw Failures.<Exception>rethrow(failure);
    }
  }

  /** The failure, with later ones suppressed in it, if the owner has not been given it. It is given once. */
  private @Nullable Throwable unreported() {
    Throwable failure = reported ? null : nursery.failureWithOthers();
    reported |= failure != null;
    Throwable inside = leftInside;
    leftInside = null;
    return inside == null ? failure : Failures.join(failure, inside);
  }

  /** What to throw when the body ended with {@code thrown} and everything is closed. */
  private Throwable reasonFor(Throwable thrown) {
    Throwable failure = unreported();
    if (failure == null) {
      return thrown;
    }
    if (thrown instanceof InterruptedException) {
      return failure;
    }
    if (isCause(failure, thrown)) {
      // What a refused fork throws stands for the failure; an error of the body's own says more.
      return thrown instanceof CancellationException || thrown instanceof DeadlineExceededException ? failure : thrown;
    }
    return Failures.join(thrown, failure);
  }

  private static boolean isCause(Throwable failure, Throwable thrown) {
    try {
      return thrown.getCause() == failure;
    } catch (RuntimeException foreign) {
      return false;
    }
  }

  // ---- deadline ----

  /** On the timer's thread. */
  private void passed() {
    if (nursery.size() < MANY || !deadline.startTask(this::expire)) {
      expire();
    }
  }

  private void expire() {
    nursery.expire(deadlineExceeded());
  }

  private DeadlineExceededException deadlineExceeded() {
    return new DeadlineExceededException("The deadline of " + this + " has passed.", null);
  }

  // ---- refusals ----

  private void requireOwner(String verb) {
    if (!nesting.isCallersOwn()) {
      throw new WrongThreadException("Only the thread that opened " + this + " may " + verb + " it.");
    }
  }

  private void requireInside() {
    if (!nesting.hasCallerInside()) {
      throw new WrongThreadException(
          "Only the thread that opened " + this + " and tasks inside it may fork in it: nobody else is known to end before it.");
    }
  }

  private void requireOpen() {
    Phase phase = nursery.phase();
    if (phase == Phase.JOINED || phase == Phase.CLOSED) {
      throw over();
    }
  }

  private void requireInPlace() {
    if (nesting.isShutOut()) {
      throw new IllegalStateException(
          "A setting of " + this + " was refused, and then another scope was opened: set it up, or use it, before opening another.");
    }
  }

  private void requireGoingOn() {
    if (nursery.isStopped()) {
      throw stopped();
    }
    if (deadline.isPast()) {
      throw deadlineExceeded();
    }
  }

  private void requireConfigurable(String verb) {
    requireOwner(verb + " of");
    requireOpen();
    requireInPlace();
    if (nursery.isActive()) {
      throw whileTasksRun(verb);
    }
  }

  private IllegalStateException whileTasksRun(String verb) {
    return new IllegalStateException("Cannot " + verb + " while tasks run: do so before the first fork in " + this + ".");
  }

  private IllegalStateException over() {
    return new IllegalStateException(this + " has been joined or closed: open a new one.");
  }

  /** Why nothing can be forked any more. */
  private RuntimeException stopped() {
    Throwable failure = nursery.firstFailure();
    if (failure instanceof DeadlineExceededException) {
      return new DeadlineExceededException(failure.getMessage(), failure);
    }
    CancellationException cancelled =
        new CancellationException("Nothing was forked: " + this + (failure == null ? " is being closed." : " has failed."));
    if (failure != null) {
      cancelled.initCause(failure);
    }
    return cancelled;
  }
}

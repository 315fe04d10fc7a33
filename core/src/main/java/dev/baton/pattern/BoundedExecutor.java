// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.INTERRUPTED;

import dev.baton.host.Hosts;
import dev.baton.host.Ledger;
import dev.baton.host.Probe;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.kernel.Interrupts;
import dev.baton.internal.kernel.Nanos;
import dev.baton.internal.observe.Watch;
import dev.baton.observe.Baton;
import dev.baton.observe.Usage;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An executor that runs at most so many tasks at a time, on virtual threads that exist only while there is work.
 *
 * {@snippet :
 * try (BoundedExecutor executor = BoundedExecutor.limit(10).build()) {
 *   for (int i = 0; i < 1_000; i++) {
 *     int number = i;
 *     executor.execute(() -> System.out.println("task " + number)); // waits while 10 run
 *   }
 * } // all have ended
 * }
 *
 * <p><b>What it avoids.</b> Pools whose workers idle between tasks, or for ever because nobody ends them: here a thread is started when
 * a task may run and ends when there is none. A thread for each of a million tasks, all but ten asleep: whoever has more work than may
 * run waits with it, or is refused, before a thread is started. A submitter that cannot be stopped: its wait is cancellable.
 *
 * <p><b>Limits.</b> At most {@code limit} tasks run. Up to {@link Builder#queue} more are stored, none unless asked for; beyond that the
 * {@link WhenFull policy} decides: the submitter waits, is refused, or runs the task itself. A task that waits for another one of the same
 * executor may wait for ever: all that may run may be doing so.
 *
 * <p><b>Order.</b> Tasks begin in the order in which they were handed in; submitters that wait are served in the order in which they
 * came, and nobody overtakes them. A task that is cancelled before it has begun makes room at once.
 *
 * <p><b>Cancellation.</b> A submitter whose wait was cut short has handed nothing in: {@link #submitInterruptibly} then throws {@link
 * InterruptedException}; {@link #execute} and {@link #submit} cannot, and throw {@link RejectedExecutionException} with the interrupt
 * pending. If the task was accepted first, they return normally, with the interrupt pending.
 *
 * <p><b>Threads.</b> A thread may run one task after the other: a thread-local that a task sets may be seen by a later one, an interrupt may
 * not. {@link Builder#threadPerTask} gives each task a thread of its own; that costs several times as much for small tasks. An error
 * that escapes a task given to {@link #execute} goes to the thread's uncaught exception handler.
 *
 * <p><b>Memory effects.</b> What was done before a task was handed in is seen by the task; what it did is seen by whoever has waited for its
 * future or for termination.
 */
public final class BoundedExecutor implements ExecutorService {
  private final int limit;
  private final boolean threadPerTask;
  private final String name;
  private final AtomicLong threadNumber = new AtomicLong();
  private final JobQueue queue;
  private final Entrance entrance;

  /** Not volatile: whoever sees it sees all of it. */
  private @Nullable Probe probe;

  private BoundedExecutor(Builder builder) {
    limit = builder.limit;
    threadPerTask = builder.threadPerTask;
    name = builder.name;
    queue = new JobQueue(this, limit, builder.room);
    entrance = new Entrance(this, queue, limit, builder.room, builder.whenFull);
    Ledger.made(this);
    Ledger.made(queue);
  }

  /** What {@link #execute} and {@link #submit} do when as many tasks run as may, and as many are stored as may. */
  public enum WhenFull {
    /** The submitter waits until there is room, in the order in which submitters came. */
    WAIT,

    /** The submitter gets {@link RejectedExecutionException}. */
    REJECT,

    /** The submitter runs the task itself, beyond the limit. */
    CALLER_RUNS
  }

  /**
   * How an executor is doing. While things change, the figures may be of slightly different instants.
   *
   * @param running how many tasks run
   * @param queued how many are stored
   * @param waiting how many submitters wait
   * @param completed how many tasks have ended, in whatever way, those that their submitters ran included
   * @param rejected how many were not accepted: refused, or given up by a submitter that waited
   * @param peak the most threads at any time
   */
  public record Snapshot(int running, int queued, int waiting, long completed, long rejected, int peak) {}

  /** Settings of an executor to be. */
  public static final class Builder {
    private final int limit;
    private int room;
    private WhenFull whenFull = WhenFull.WAIT;
    private boolean threadPerTask;
    private String name = "";

    private Builder(int limit) {
      this.limit = limit;
    }

    /**
     * Lets {@code most} tasks be stored while as many run as may; 0, the default, stores none.
     *
     * @param most how many may be stored; 0 or more
     * @return this builder
     * @throws IllegalArgumentException if {@code most} is negative
     */
    public Builder queue(int most) {
      if (most < 0) {
        throw new IllegalArgumentException("A queue has room for 0 tasks or more, not " + most + ".");
      }
      room = most;
      return this;
    }

    /**
     * What to do when there is no room; {@link WhenFull#WAIT} by default.
     *
     * @param policy what {@link #execute} and {@link #submit} do then
     * @return this builder
     */
    public Builder whenFull(WhenFull policy) {
      whenFull = Objects.requireNonNull(policy, "policy");
      return this;
    }

    /**
     * Gives each task a thread of its own, which ends with it.
     *
     * @return this builder
     */
    public Builder threadPerTask() {
      threadPerTask = true;
      return this;
    }

    /**
     * Calls the threads {@code prefix-1}, {@code prefix-2} and so on.
     *
     * @param prefix what all names begin with; empty for threads without names
     * @return this builder
     */
    public Builder name(String prefix) {
      name = Objects.requireNonNull(prefix, "prefix");
      return this;
    }

    /**
     * The executor.
     *
     * @return a new executor, which has no threads as long as there is no work
     */
    public BoundedExecutor build() {
      return new BoundedExecutor(this);
    }
  }

  /**
   * An executor that runs at most {@code n} tasks at a time.
   *
   * @param n how many tasks may run at a time; at least 1
   * @return a builder; everything but the limit is as it is by default
   * @throws IllegalArgumentException if {@code n} is less than 1
   */
  public static Builder limit(int n) {
    if (n < 1) {
      throw new IllegalArgumentException("A limit of " + n + " would let no task run: expected at least 1.");
    }
    return new Builder(n);
  }

  /**
   * Gives it a name, by which {@link Baton#named}, dumps, flight recordings and metrics know it, and returns it. They do not keep it alive.
   * This is the name of the executor; for those of its threads see {@link Builder#name}.
   *
   * @param newName what it is for, such as "reports"; other things may have the same name
   * @return this very executor
   * @throws IllegalArgumentException if the name is blank
   * @throws IllegalStateException if it has another name already
   */
  public BoundedExecutor named(String newName) {
    probe = Probe.name(probe, "executor", newName, this, BoundedExecutor::usage);
    return this;
  }

  private Usage usage() {
    Snapshot now = queue.snapshot(0);
    return new Usage(Math.max(0, limit - now.running()), now.running(), (long) now.queued() + now.waiting());
  }

  /** Somebody who wants to know how long tasks take; null if there is none. */
  @Nullable Probe timing() {
    return Watch.isTimed() ? probe : null;
  }

  // ---- handing in ----

  /**
   * Runs {@code task} some time, on a thread of the executor, or as the {@link WhenFull policy} says.
   *
   * @throws RejectedExecutionException if the executor was shut down, has no room and may not wait, or the caller was interrupted while
   *     waiting, which is then pending; the task will not run
   */
  @Override
  public void execute(Runnable task) {
    entrance.handIn(new Job(Objects.requireNonNull(task, "task")));
  }

  /** See {@link #execute}. */
  @Override
  public <T extends @Nullable Object> Future<T> submit(Callable<T> task) {
    Submitted<T> submitted = new Submitted<>(this, task);
    entrance.handIn(submitted.job);
    return submitted;
  }

  /** See {@link #execute}. */
  @Override
  public <T extends @Nullable Object> Future<T> submit(Runnable task, T result) {
    Objects.requireNonNull(task, "task");
    return submit(
        () -> {
          task.run();
          return result;
        });
  }

  /** See {@link #execute}. */
  @Override
  public Future<?> submit(Runnable task) {
    return this.<@Nullable Void>submit(callable(task));
  }

  /**
   * Runs {@code task} some time, on a thread of the executor. Waits for room, whatever the {@link WhenFull policy}.
   *
   * @param <T> the type of the task's result
   * @param task what to run
   * @return the future of the task, which was accepted; to cancel it before it has begun makes room
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; the task will not run
   * @throws RejectedExecutionException if the executor was shut down; the task will not run
   */
  public <T extends @Nullable Object> Future<T> submitInterruptibly(Callable<T> task) throws InterruptedException {
    Submitted<T> submitted = new Submitted<>(this, task);
    entrance.handInInterruptibly(submitted.job, FOREVER);
    return submitted;
  }

  /**
   * See {@link #submitInterruptibly(Callable)}.
   *
   * @param task what to run
   * @return the future of the task, which was accepted; it ends with null
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; the task will not run
   */
  public Future<?> submitInterruptibly(Runnable task) throws InterruptedException {
    return this.<@Nullable Void>submitInterruptibly(callable(task));
  }

  /**
   * See {@link #submitInterruptibly(Callable)}; for a task whose end nobody waits for.
   *
   * @param task what to run
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; the task will not run
   */
  public void executeInterruptibly(Runnable task) throws InterruptedException {
    entrance.handInInterruptibly(new Job(Objects.requireNonNull(task, "task")), FOREVER);
  }

  /**
   * Runs {@code task} some time if there is room now. Never blocks.
   *
   * @param <T> the type of the task's result
   * @param task what to run
   * @return empty if there is none; the task will not run
   * @throws RejectedExecutionException if the executor was shut down; the task will not run
   */
  public <T extends @Nullable Object> Optional<Future<T>> trySubmit(Callable<T> task) {
    Submitted<T> submitted = new Submitted<>(this, task);
    return entrance.tryHandIn(submitted.job) ? Optional.of(submitted) : Optional.empty();
  }

  /**
   * Runs {@code task} some time if there is room within {@code timeout}: zero or less tries once.
   *
   * @param <T> the type of the task's result
   * @param task what to run
   * @param timeout how long to wait at most; zero or less tries once
   * @return empty if the time passed first; the task will not run
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; the task will not run
   * @throws RejectedExecutionException if the executor was shut down; the task will not run
   */
  public <T extends @Nullable Object> Optional<Future<T>> trySubmit(Callable<T> task, Duration timeout)
      throws InterruptedException {
    Submitted<T> submitted = new Submitted<>(this, task);
    return entrance.handInInterruptibly(submitted.job, Nanos.of(timeout)) ? Optional.of(submitted) : Optional.empty();
  }

  /**
   * Like {@link #trySubmit(Callable)}, for a task whose end nobody waits for.
   *
   * @param task what to run
   * @return false if there is no room; the task will not run
   */
  public boolean tryExecute(Runnable task) {
    return entrance.tryHandIn(new Job(Objects.requireNonNull(task, "task")));
  }

  /**
   * Like {@link #trySubmit(Callable, Duration)}, also when it is interrupted, for a task whose end nobody waits for.
   *
   * @param task what to run
   * @param timeout how long to wait at most; zero or less tries once
   * @return false if the time passed first; the task will not run
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; the task will not run
   */
  public boolean tryExecute(Runnable task, Duration timeout) throws InterruptedException {
    return entrance.handInInterruptibly(new Job(Objects.requireNonNull(task, "task")), Nanos.of(timeout));
  }

  private static Callable<@Nullable Void> callable(Runnable task) {
    Objects.requireNonNull(task, "task");
    return () -> {
      task.run();
      return null;
    };
  }

  // ---- threads ----

  boolean hasThreadPerTask() {
    return threadPerTask;
  }

  /** What to call the next thread; empty if threads have no names. */
  String nextName() {
    return name.isEmpty() ? "" : name + "-" + threadNumber.incrementAndGet();
  }

  /** {@code job} was accepted, and there is no thread to be had for it: whoever waits for it is told. */
  static void lost(Job job, Throwable reason) {
    if (job.body instanceof Submitted<?> submitted) {
      submitted.fail(reason);
    } else {
      Thread current = Thread.currentThread();
      current.getUncaughtExceptionHandler().uncaughtException(current, reason);
    }
  }

  /** {@code job} was accepted, and will not begin: whoever waits for it is told. */
  private static void drop(Job job) {
    if (job.body instanceof Submitted<?> submitted) {
      submitted.cancel(false);
    }
  }

  /** The future of {@code job} was cancelled. */
  void cancelled(Job job, boolean mayInterrupt) {
    if (!queue.withdraw(job) && mayInterrupt) {
      job.interrupt();
    }
  }

  // ---- several at once ----

  /**
   * {@inheritDoc}
   *
   * @throws InterruptedException if the caller is interrupted; all tasks that have not ended are cancelled
   */
  @Override
  public <T extends @Nullable Object> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks)
      throws InterruptedException {
    return new Invocation<>(this, entrance, tasks, FOREVER).all();
  }

  /**
   * {@inheritDoc}
   *
   * @throws InterruptedException if the caller is interrupted; all tasks that have not ended are cancelled
   */
  @Override
  public <T extends @Nullable Object> List<Future<T>> invokeAll(
      Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit) throws InterruptedException {
    return new Invocation<>(this, entrance, tasks, Math.max(unit.toNanos(timeout), 0)).all();
  }

  /**
   * {@inheritDoc}
   *
   * @throws InterruptedException if the caller is interrupted; all tasks that have not ended are cancelled
   */
  @Override
  public <T extends @Nullable Object> T invokeAny(Collection<? extends Callable<T>> tasks)
      throws InterruptedException, ExecutionException {
    try {
      return new Invocation<>(this, entrance, tasks, FOREVER).any();
    } catch (TimeoutException impossible) {
      throw new IllegalStateException("A wait without a deadline has timed out.", impossible);
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws InterruptedException if the caller is interrupted; all tasks that have not ended are cancelled
   */
  @Override
  public <T extends @Nullable Object> T invokeAny(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    return new Invocation<>(this, entrance, tasks, Math.max(unit.toNanos(timeout), 0)).any();
  }

  // ---- the end ----

  /** Accepts no more tasks. Those that were accepted run; submitters that wait get {@link RejectedExecutionException}. */
  @Override
  public void shutdown() {
    SwitchPoints.reach(this);
    queue.shutdown();
  }

  /**
   * Like {@link #shutdown}; tasks that have not begun will not, and those that run are interrupted.
   *
   * @return those that have not begun: what was given to {@link #execute}, and the futures of what was submitted
   */
  @Override
  public List<Runnable> shutdownNow() {
    shutdown();
    return queue.stop().stream().map(job -> job.body).toList();
  }

  @Override
  public boolean isShutdown() {
    SwitchPoints.reach(this);
    return queue.isShutdown();
  }

  @Override
  public boolean isTerminated() {
    SwitchPoints.reach(this);
    return queue.isTerminated();
  }

  /**
   * Waits until the executor was shut down and all its threads have ended.
   *
   * @param timeout how long to wait at most; zero or less looks once
   * @return false if the time passed first
   * @throws InterruptedException if there is something to wait for and the caller is interrupted on entry or while waiting; nothing has
   *     changed
   */
  public boolean awaitTermination(Duration timeout) throws InterruptedException {
    return awaitTermination(Nanos.of(timeout));
  }

  /** See {@link #awaitTermination(Duration)}. Interrupted, it has changed nothing. */
  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return awaitTermination(Math.max(unit.toNanos(timeout), 0));
  }

  private boolean awaitTermination(long nanos) throws InterruptedException {
    SwitchPoints.reach(this);
    if (!queue.isTerminated()) {
      Interrupts.check();
    }
    int outcome = queue.awaitTermination(this, true, nanos);
    if (outcome == INTERRUPTED) {
      throw new InterruptedException();
    }
    return outcome == GRANTED;
  }

  /**
   * Accepts no more tasks and waits until all that were accepted, and their threads, have ended. If the caller is interrupted, the tasks
   * are too, and what has not begun will not: its futures are cancelled, since nobody gets hold of it any more. It goes on waiting, and the
   * interrupt is pending on return. Closing again does nothing but wait.
   *
   * @throws IllegalStateException if called by one of its own tasks, which would wait for itself
   */
  @Override
  public void close() {
    if (queue.isRunBy(Hosts.current().currentTask())) {
      throw new IllegalStateException("A task cannot close " + this + ", which runs it: it would wait for its own end. Shut it down.");
    }
    shutdown();
    if (queue.awaitTermination(this, true, FOREVER) == INTERRUPTED) {
      queue.stop().forEach(BoundedExecutor::drop);
      queue.awaitTermination(this, false, FOREVER);
      Thread.currentThread().interrupt();
    }
  }

  // ---- looking ----

  /** {@return how many tasks may run at a time} */
  public int limit() {
    return limit;
  }

  /**
   * How it is doing.
   *
   * @return its figures, of about the same instant
   */
  public Snapshot snapshot() {
    SwitchPoints.reach(this);
    return queue.snapshot(entrance.ranByCallers());
  }

  @Override
  public String toString() {
    Snapshot now = queue.snapshot(entrance.ranByCallers());
    return "BoundedExecutor" + Probe.shown(probe) + "@" + Integer.toHexString(System.identityHashCode(this)) + "[" + now.running() + " of " + limit
        + " running, " + now.queued() + " stored, " + now.waiting() + " waiting"
        + (queue.isShutdown() ? ", shut down" : "") + "]";
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.internal.kernel.Failures;
import dev.baton.runtime.Priority;
import dev.baton.runtime.internal.Residence;
import dev.baton.scope.Task;
import dev.baton.sync.Result;
import dev.baton.sync.Semaphore;
import dev.baton.sync.Waitable;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a program can ask for. Made to be imported statically.
 *
 * <p><b>Turns.</b> Each of these first gives up the turn, so that others of the same priority go on before it.
 *
 * <p><b>Errors</b> are thrown as they are, checked ones too.
 *
 * <p><b>Cancellation.</b> A task that was cancelled is told once, by {@link TaskCancelledException} out of the operation it waits in
 * or the next one it begins; that one has not taken place, but for {@link #release}, which has. What it does after that, to clean
 * up, works as ever.
 */
public final class Effects {
  private Effects() {}

  // ---- running ----

  /**
   * Runs {@code program} with {@link Handlers#defaults}. See {@link Runner#run}.
   *
   * @param <T> what the program returns
   * @param program what to run
   * @return the value or the error, and what the run has left
   */
  public static <T extends @Nullable Object> RunResult<T> run(Program<? extends T> program) {
    return Runner.create().run(program);
  }

  /**
   * Runs {@code program} with {@code handlers}. See {@link Runner#run}.
   *
   * @param <T> what the program returns
   * @param program what to run
   * @param handlers who answers its effects
   * @return the value or the error, and what the run has left
   * @throws IllegalArgumentException if the handlers are for {@link #runAsync} only; nothing has run
   */
  public static <T extends @Nullable Object> RunResult<T> run(Program<? extends T> program, Handlers handlers) {
    return Runner.create().handlers(handlers).run(program);
  }

  /**
   * Runs {@code program} in the background with {@link Handlers#asyncDefaults}; cancelled, it cleans up and ends. See
   * {@link Runner#runAsync}.
   *
   * @param <T> what the program returns
   * @param program what to run
   * @return a future that ends with the result of the run; cancelling it cancels the first task
   */
  public static <T extends @Nullable Object> CompletableFuture<RunResult<T>> runAsync(Program<? extends T> program) {
    return runAsync(program, Handlers.asyncDefaults());
  }

  /**
   * Runs {@code program} in the background with {@code handlers}; cancelled, it cleans up and ends. See {@link Runner#runAsync}.
   *
   * @param <T> what the program returns
   * @param program what to run
   * @param handlers who answers its effects
   * @return a future that ends with the result of the run; cancelling it cancels the first task
   */
  public static <T extends @Nullable Object> CompletableFuture<RunResult<T>> runAsync(
      Program<? extends T> program, Handlers handlers) {
    return Runner.create().handlers(handlers).runAsync(program);
  }

  // ---- effects and handlers ----

  /**
   * Performs {@code effect}, and returns what its handler answers.
   *
   * @param <R> what the effect is answered with
   * @param effect what is wanted
   * @return what the handler answers
   * @throws UnhandledEffectException if there is no handler in scope for its class
   * @throws IllegalStateException if the caller is not a task of a run
   */
  @SuppressWarnings({"unchecked", "NullAway"}) // handlers are found by the class of the effect, which says what it is answered with
  public static <R extends @Nullable Object> R perform(Effect<R> effect) {
    Objects.requireNonNull(effect, "effect");
    return (R) EffectTask.current().perform(effect);
  }

  /**
   * Runs {@code program} with {@code handlers} in scope, inside of those that are. What it throws is thrown as it is.
   *
   * @param <T> what the program returns
   * @param handlers asked before those that are in scope
   * @param program what to run
   * @return what {@code program} returns, or a handler in its place
   */
  public static <T extends @Nullable Object> T handle(Handlers handlers, Program<? extends T> program) {
    Objects.requireNonNull(handlers, "handlers");
    Objects.requireNonNull(program, "program");
    try {
      return EffectTask.current().handle(handlers, program);
    } catch (Throwable failure) {
      throw Failures.<RuntimeException>rethrow(failure);
    }
  }

  /**
   * Runs {@code program} with one resumable handler in scope, whose result is of the type of the program's.
   *
   * @param <R> what the effect is answered with
   * @param <E> the class of the effects
   * @param <T> what the program returns
   * @param type the class of the effects
   * @param handler what answers them
   * @param program what to run
   * @return what {@code program} returns, or a handler in its place
   */
  public static <R extends @Nullable Object, E extends Effect<R>, T extends @Nullable Object> T handle(
      Class<E> type, ResumableHandler<E, R, T> handler, Program<? extends T> program) {
    return handle(Handlers.resuming(type, handler), program);
  }

  /**
   * Runs {@code program}; {@code observer} is told of the effects that it performs.
   *
   * @param <T> what the program returns
   * @param observer told before and after each effect
   * @param program what to run
   * @return what {@code program} returned
   */
  public static <T extends @Nullable Object> T observe(EffectObserver observer, Program<? extends T> program) {
    return handle(Handlers.observing(observer), program);
  }

  // ---- tasks ----

  /**
   * Starts a task that runs {@code program}, with the handlers in scope and a snapshot of the state and the log, and goes on.
   *
   * @param <T> what the program returns
   * @param program what the task runs
   * @return the task, which has been started; wait for it by {@link #join}
   */
  public static <T extends @Nullable Object> Task<T> spawn(Program<? extends T> program) {
    return perform(new Spawn<T>(program));
  }

  /**
   * Starts a task of a priority of its own. If that is higher, it runs before this returns.
   *
   * @param <T> what the program returns
   * @param program what the task runs
   * @param priority that of the task
   * @return the task, which has been started; wait for it by {@link #join}
   */
  public static <T extends @Nullable Object> Task<T> spawn(Program<? extends T> program, Priority priority) {
    return perform(new Spawn<T>(program, priority));
  }

  /**
   * Starts a task that has a name.
   *
   * @param <T> what the program returns
   * @param name what the task is called in messages
   * @param program what the task runs
   * @return the task, which has been started; wait for it by {@link #join}
   */
  public static <T extends @Nullable Object> Task<T> spawn(String name, Program<? extends T> program) {
    return perform(new Spawn<T>(program, name, null));
  }

  /**
   * Starts a task that has a name and a priority of its own. If that is higher, it runs before this returns.
   *
   * @param <T> what the program returns
   * @param name what the task is called in messages
   * @param program what the task runs
   * @param priority that of the task
   * @return the task, which has been started; wait for it by {@link #join}
   */
  public static <T extends @Nullable Object> Task<T> spawn(String name, Program<? extends T> program, Priority priority) {
    return perform(new Spawn<T>(program, name, priority));
  }

  /**
   * Waits for a task or a future. Its error is thrown as it is. A cancelled wait changes nothing.
   *
   * @param <T> what it ends with
   * @param waitable a task or a future of this run
   * @return what it ended with
   * @throws TaskCancelledException if the task that is waited for was cancelled, or this one is
   * @throws ForeignHandleException if it is of another run
   */
  @SuppressWarnings({"unchecked", "NullAway"}) // its outcome has no others
  public static <T extends @Nullable Object> T join(Waitable<? extends T> waitable) {
    Waitables.require(waitable, "Wait");
    EffectTask<?> me = EffectTask.current();
    return me.beginDirect(Wait.class) ? (T) BuiltIns.join(me, waitable) : perform(new Wait<T>(waitable));
  }

  /**
   * Waits for all of several tasks and futures; returns their values in the order given. The first error that comes is thrown at
   * once, and the others go on. Of several that have failed before, the one counts that failed first; what the run has not made counts
   * as later than what it has. A cancelled wait changes nothing.
   *
   * @param <T> what they end with
   * @param waitables tasks or futures of this run; none is nothing to wait for
   * @return their values, in the order given
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  public static <T extends @Nullable Object> List<T> gather(Waitable<? extends T>... waitables) {
    return gather(Waitables.list(waitables, "Gather"));
  }

  /**
   * Like {@link #gather(Waitable[])}, also when the wait is cancelled. The order given is that of the collection.
   *
   * @param <T> what they end with
   * @param waitables tasks or futures of this run; none is nothing to wait for
   * @return their values, in the order given
   */
  public static <T extends @Nullable Object> List<T> gather(Collection<? extends Waitable<? extends T>> waitables) {
    return perform(new Gather<T>(Waitables.list(waitables, "Gather")));
  }

  /**
   * Waits for the first of several tasks and futures to end; the others go on. If it ended with an error, that is thrown. Of
   * several that have ended before, the one counts that ended first; what the run has not made, a {@link dev.baton.sync.Promise} for one,
   * counts as later than what it has, and among its like the order given decides. A cancelled wait changes nothing.
   *
   * @param <T> what they end with
   * @param waitables tasks or futures of this run; at least one
   * @return which was first, its value, and the others in the order given
   * @throws IllegalArgumentException if there are none
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  public static <T extends @Nullable Object> RaceResult<T> race(Waitable<? extends T>... waitables) {
    return race(Waitables.list(waitables, "Race"));
  }

  /**
   * Like {@link #race(Waitable[])}, also when the wait is cancelled. The order given is that of the collection.
   *
   * @param <T> what they end with
   * @param waitables tasks or futures of this run; at least one
   * @return which was first, its value, and the others in the order given
   * @throws IllegalArgumentException if there are none
   */
  public static <T extends @Nullable Object> RaceResult<T> race(Collection<? extends Waitable<? extends T>> waitables) {
    return perform(new Race<T>(Waitables.list(waitables, "Race")));
  }

  /**
   * Asks a task to end, and goes on. A task that has not begun never does; others are told where they wait or at their next effect,
   * and may clean up. One that has ended, or was cancelled before, is left as it is.
   *
   * @param task a task of this run
   */
  public static void cancel(Task<?> task) {
    perform(new Cancel(task));
  }

  /**
   * Gives up the turn, also where the policy would let the task go on until it waits. All others of this priority that can run go on
   * first; by {@link dev.baton.runtime.Policy#seeded} chance decides, and it may be the caller again.
   */
  public static void yieldNow() {
    EffectTask.current().yieldTurn();
  }

  // ---- promises and outside work ----

  /**
   * Makes a promise that a task of this run keeps, by {@link #complete} or {@link #fail}.
   *
   * @param <T> what is promised
   * @return a promise that nobody has kept yet
   */
  public static <T extends @Nullable Object> Promise<T> promise() {
    EffectTask<?> me = EffectTask.current();
    return me.beginDirect(CreatePromise.class) ? BuiltIns.promise(me) : perform(new CreatePromise<T>());
  }

  /**
   * Keeps a promise. Those who wait for it can go on.
   *
   * @param <T> what was promised
   * @param promise one of this run, which nobody has kept yet
   * @param value what all who wait for it get
   * @throws IllegalStateException if it was kept before
   * @throws IllegalArgumentException if it is external: that has methods of its own; or if it is of another run
   */
  public static <T extends @Nullable Object> void complete(Promise<T> promise, T value) {
    Objects.requireNonNull(promise, "promise");
    EffectTask<?> me = EffectTask.current();
    if (me.beginDirect(CompletePromise.class)) {
      BuiltIns.complete(me, promise, value);
    } else {
      perform(new CompletePromise<>(promise, value));
    }
  }

  /**
   * Keeps a promise with an error, which all who wait for it throw.
   *
   * @param promise one of this run, which nobody has kept yet
   * @param error what all who wait for it throw
   * @throws IllegalStateException if it was kept before
   * @throws IllegalArgumentException if it is external: that has methods of its own; or if it is of another run
   */
  public static void fail(Promise<?> promise, Throwable error) {
    perform(new FailPromise(promise, error));
  }

  /**
   * Makes a promise that somebody outside of the run keeps.
   *
   * @param <T> what is promised
   * @return a promise that anybody may keep, on any thread
   */
  public static <T extends @Nullable Object> ExternalPromise<T> externalPromise() {
    return perform(new CreateExternalPromise<T>());
  }

  /**
   * Lets {@code work} be done on a thread outside of the run, and waits for it; other tasks go on. By {@link Handlers#defaults} one
   * piece is done at a time, in the order asked for; by {@link Handlers#asyncDefaults} they overlap. If the task is cancelled
   * meanwhile, the thread is interrupted.
   *
   * @param <T> what the work returns
   * @param work what to do; it may block
   * @return what the work returned
   */
  public static <T extends @Nullable Object> T await(Callable<? extends T> work) {
    return perform(new Await<T>(new Await.Call<>(work)));
  }

  /**
   * Begins work outside of the run, and waits until the stage has ended that it returns; one piece at a time, or overlapping, as
   * with {@link #await(Callable)}. If the task is cancelled
   * meanwhile, so is the stage.
   *
   * @param <T> what the stage ends with
   * @param work what begins it; it must not block
   * @return what the stage ended with
   */
  public static <T extends @Nullable Object> T awaitStage(Supplier<? extends CompletionStage<? extends T>> work) {
    return perform(new Await<T>(new Await.Begin<>(work)));
  }

  /**
   * Waits for a stage that goes on already. If the task is cancelled meanwhile, so is the stage.
   *
   * @param <T> what the work returns
   * @param stage work that goes on already
   * @return what the work returned
   */
  public static <T extends @Nullable Object> T await(CompletionStage<? extends T> stage) {
    return perform(new Await<T>(new Await.Stage<>(stage)));
  }

  /**
   * Runs {@code program}, and returns its value or its error. What it has done to the state and the log stays. The cancellation of
   * this task itself is thrown.
   *
   * @param <T> what the program returns
   * @param program what to run
   * @return the value, or the error
   */
  public static <T extends @Nullable Object> Result<T> attempt(Program<? extends T> program) {
    return perform(new Try<T>(program));
  }

  // ---- semaphores ----

  /**
   * Makes a semaphore: an ordinary one, which ordinary threads may share.
   *
   * @param permits how many there are; at least 1
   * @return a semaphore of which all permits are free
   * @throws IllegalArgumentException if {@code permits} is less than 1
   */
  public static Semaphore semaphore(long permits) {
    return perform(new CreateSemaphore(permits));
  }

  /**
   * Takes one permit, waiting for it if need be, after all who came before. A cancelled wait holds nothing, and the next in line is
   * considered at once.
   *
   * @param semaphore whose permits
   */
  public static void acquire(Semaphore semaphore) {
    acquire(semaphore, 1);
  }

  /**
   * Takes {@code n} permits together, waiting for them if need be. A cancelled wait holds nothing.
   *
   * @param semaphore whose permits
   * @param n how many permits, together
   * @throws IllegalArgumentException if {@code n} is negative or more than the limit
   */
  public static void acquire(Semaphore semaphore, long n) {
    Objects.requireNonNull(semaphore, "semaphore");
    EffectTask<?> me = EffectTask.current();
    if (me.beginDirect(AcquireSemaphore.class)) {
      BuiltIns.acquire(me, semaphore, n);
      me.letHigherGoFirst();
    } else {
      perform(new AcquireSemaphore(semaphore, n));
    }
  }

  /**
   * Takes one permit if it is free and nobody waits.
   *
   * @param semaphore whose permits
   * @return false if nothing was taken
   */
  public static boolean tryAcquire(Semaphore semaphore) {
    return tryAcquire(semaphore, 1, Duration.ZERO);
  }

  /**
   * Takes {@code n} permits if they are free and nobody waits.
   *
   * @param semaphore whose permits
   * @param n how many permits, together
   * @return false if nothing was taken
   */
  public static boolean tryAcquire(Semaphore semaphore, long n) {
    return tryAcquire(semaphore, n, Duration.ZERO);
  }

  /**
   * Takes one permit, waiting at most so long. A wait that ends without it, cancelled or not, holds nothing.
   *
   * @param semaphore whose permits
   * @param timeout how long to wait at most, by the clock of the run
   * @return false if the time passed first; nothing was taken
   */
  public static boolean tryAcquire(Semaphore semaphore, Duration timeout) {
    return tryAcquire(semaphore, 1, timeout);
  }

  /**
   * Takes {@code n} permits, waiting at most so long. A wait that ends without them, cancelled or not, holds nothing.
   *
   * @param semaphore whose permits
   * @param n how many permits, together
   * @param timeout how long to wait at most, by the clock of the run
   * @return false if the time passed first; nothing was taken
   */
  public static boolean tryAcquire(Semaphore semaphore, long n, Duration timeout) {
    return perform(new TryAcquireSemaphore(semaphore, n, timeout));
  }

  /**
   * Gives one permit back, to whoever has waited longest. Takes place even if this task is told here that it was cancelled.
   *
   * @param semaphore whose permits
   * @throws IllegalStateException if none was taken; nothing changes
   */
  public static void release(Semaphore semaphore) {
    release(semaphore, 1);
  }

  /**
   * Gives {@code n} permits back. Takes place even if this task is told here that it was cancelled.
   *
   * @param semaphore whose permits
   * @param n how many permits, together
   * @throws IllegalStateException if fewer were taken; nothing changes
   */
  public static void release(Semaphore semaphore, long n) {
    Objects.requireNonNull(semaphore, "semaphore");
    EffectTask<?> me = EffectTask.current();
    if (n == 1 && me.isUnseen()) {
      BuiltIns.release(me, semaphore);
    } else {
      perform(new ReleaseSemaphore(semaphore, n));
    }
  }

  /**
   * Runs {@code body} with one permit, which is given back however it ends. A cancelled wait holds nothing, and the body has not run.
   *
   * @param <T> what the body returns
   * @param semaphore whose permits
   * @param body what to run meanwhile
   * @return what {@code body} returned
   */
  public static <T extends @Nullable Object> T withPermit(Semaphore semaphore, Program<? extends T> body) {
    return withPermits(semaphore, 1, body);
  }

  /**
   * Runs {@code body} with {@code n} permits, which are given back however it ends. A cancelled wait holds nothing, and the body has not
   * run. If the task is told of its cancellation by the release, what the body has thrown is suppressed in that.
   *
   * @param <T> what the body returns
   * @param semaphore whose permits
   * @param n how many permits, together
   * @param body what to run meanwhile
   * @return what {@code body} returned
   */
  public static <T extends @Nullable Object> T withPermits(Semaphore semaphore, long n, Program<? extends T> body) {
    Objects.requireNonNull(body, "body");
    acquire(semaphore, n);
    T value;
    try {
      value = body.run();
    } catch (Throwable failure) {
      throw Failures.<RuntimeException>rethrow(releasedAfter(failure, semaphore, n));
    }
    release(semaphore, n);
    return value;
  }

  /** The body has failed: gives the permits back. Returns what is to be thrown; neither of two errors is lost. */
  private static Throwable releasedAfter(Throwable failure, Semaphore semaphore, long n) {
    try {
      release(semaphore, n);
      return failure;
    } catch (Throwable other) {
      if (EffectTask.isFatal(failure)) {
        return failure;
      }
      if (isNoError(failure) || isNoError(other) || EffectTask.isFatal(other)) {
        return other;
      }
      // A cancellation is delivered once, and this was it.
      return EffectTask.current().isOwnCancellation(other) ? Failures.join(other, failure) : Failures.join(failure, other);
    }
  }

  /** Whether {@code thrown} only unwinds the program. */
  private static boolean isNoError(Throwable thrown) {
    return thrown instanceof Abort || Residence.isEnd(thrown);
  }

  // ---- environment, state, log ----

  /**
   * {@return what the environment has under {@code key}}
   *
   * @param <T> the type of the value, which is not checked
   * @param key what it was put under
   * @throws MissingKeyException if it has nothing there
   */
  @SuppressWarnings("TypeParameterUnusedInFormals") // whoever knows the key knows the type
  public static <T extends @Nullable Object> T ask(Object key) {
    return perform(new Ask<T>(key));
  }

  /**
   * Like {@link #ask(Object)}, with a key that knows the type.
   *
   * @param <T> the type of the value
   * @param key what it was put under
   * @return the value, which may be null
   */
  public static <T extends @Nullable Object> T ask(Key<T> key) {
    return perform(new Ask<T>(key));
  }

  /**
   * Runs {@code program} in an environment in which the keys of {@code overrides} have these values; so do tasks spawned there.
   *
   * @param <T> what the program returns
   * @param overrides what differs inside of {@code program}; the rest is as outside
   * @param program what to run
   * @return what {@code program} returned
   */
  public static <T extends @Nullable Object> T local(Map<?, ?> overrides, Program<? extends T> program) {
    return perform(new Local<T>(overrides, program));
  }

  /**
   * {@return what the state of this task has under {@code key}}
   *
   * @param <T> the type of the value, which is not checked
   * @param key what it is under
   * @throws MissingKeyException if it has nothing there
   */
  @SuppressWarnings("TypeParameterUnusedInFormals") // whoever knows the key knows the type
  public static <T extends @Nullable Object> T get(Object key) {
    return perform(new Get<T>(key));
  }

  /**
   * Like {@link #get(Object)}, with a key that knows the type.
   *
   * @param <T> the type of the value
   * @param key what it is under
   * @return the value, which may be null
   */
  public static <T extends @Nullable Object> T get(Key<T> key) {
    return perform(new Get<T>(key));
  }

  /**
   * Puts {@code value} under {@code key} into the state of this task.
   *
   * @param key what it is under
   * @param value the new value; null is one too
   */
  public static void put(Object key, @Nullable Object value) {
    perform(new Put(key, value));
  }

  /**
   * Like {@link #put(Object, Object)}, with a key that knows the type.
   *
   * @param <T> the type of the value
   * @param key what it is under
   * @param value the new value; null is one too
   */
  public static <T extends @Nullable Object> void put(Key<T> key, T value) {
    perform(new Put(key, value));
  }

  /**
   * Replaces what the state has under {@code key} by what {@code function} makes of it, or of null if there is nothing; returns the
   * new value. If the function throws, nothing changes.
   *
   * @param <T> the type of the value
   * @param key what it is under
   * @param function makes the new value of the old one
   * @return the new value
   */
  public static <T extends @Nullable Object> T modify(Object key, UnaryOperator<T> function) {
    return perform(new Modify<T>(key, function));
  }

  /**
   * Like {@link #modify(Object, UnaryOperator)}, with a key that knows the type.
   *
   * @param <T> the type of the value
   * @param key what it is under
   * @param function makes the new value of the old one
   * @return the new value
   */
  public static <T extends @Nullable Object> T modify(Key<T> key, UnaryOperator<T> function) {
    return perform(new Modify<T>(key, function));
  }

  /**
   * Adds {@code message} to the log of this task.
   *
   * @param message anything; null too
   */
  public static void tell(@Nullable Object message) {
    perform(new Tell(message));
  }

  /**
   * Runs {@code program}, and returns its value with what it told; that stays in the log.
   *
   * @param <T> what the program returns
   * @param program what to run
   * @return the value, and what was told meanwhile
   */
  public static <T extends @Nullable Object> Listened<T> listen(Program<? extends T> program) {
    return perform(new Listen<T>(program));
  }

  // ---- time ----

  /**
   * Waits for so long, by the clock of the run. A cancelled wait ends at once.
   *
   * @param duration how long; zero gives up the turn; more than 292 years are for ever, which in virtual time is a deadlock if nobody
   *     else can go on
   * @throws IllegalArgumentException if {@code duration} is negative
   */
  public static void sleep(Duration duration) {
    perform(new Delay(duration));
  }

  /** {@return the time, by the clock of the run} */
  public static Instant now() {
    return perform(new GetTime());
  }
}

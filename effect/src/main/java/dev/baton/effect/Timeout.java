// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.host.Waiter.FOREVER;

import dev.baton.internal.kernel.Failures;
import dev.baton.runtime.internal.Residence;
import dev.baton.scope.Task;
import dev.baton.sync.Result;
import dev.baton.sync.Semaphore;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Bounds programs in time.
 *
 * {@snippet :
 * Program<String> slow = () -> {
 *   Effects.sleep(Duration.ofMinutes(1));
 *   return "done";
 * };
 * RunResult<String> result = Effects.run(() -> Timeout.after(Duration.ofMillis(50)).run(slow));
 * System.out.println(result.error()); // a TimeoutException
 * }
 *
 * <p>The program runs in a task of its own, which is cancelled when its time is up, and has cleaned up when {@link #run} throws. What
 * it has done to the state and the log stays, whichever way it ended. A resumable handler outside that does not resume ends only the
 * bounded program, with the value that it returns, as it does for any spawned task.
 *
 * <p><b>Time</b> is waited for by {@link Delay}: who answers that decides what time means.
 *
 * <p><b>Cancellation.</b> If the caller is cancelled, so is the program, and it has cleaned up before that is thrown.
 */
public final class Timeout {
  private final Duration limit;

  private Timeout(Duration limit) {
    this.limit = limit;
  }

  /**
   * {@return a limit of so long} If it is zero or negative, no program begins.
   *
   * @param limit how long at most, by the clock of the run
   */
  public static Timeout after(Duration limit) {
    return new Timeout(Objects.requireNonNull(limit, "limit"));
  }

  /**
   * Runs {@code program}, and returns its value. Its error is thrown as it is. A program that has ended when its time is up is in
   * time.
   *
   * @param <T> what the program returns
   * @param program what to run
   * @return what {@code program} returned
   * @throws TimeoutException if it is not: it was cancelled, and has ended. What went wrong while it cleaned up is suppressed in this.
   */
  public <T extends @Nullable Object> T run(Program<? extends T> program) throws TimeoutException {
    Objects.requireNonNull(program, "program");
    if (!limit.isPositive()) {
      throw new TimeoutException("There is no time left (" + limit + "): the program was not begun.");
    }
    return new Bounded<T>(limit, program).run();
  }

  /**
   * {@return a handler that bounds effects of one class: each goes on to the handlers outside, and is cancelled if that
   * takes too long}
   *
   * @param <R> what the effects are answered with
   * @param <E> the class of the effects
   * @param type the class of the effects
   */
  public <R extends @Nullable Object, E extends Effect<R>> Handlers handling(Class<E> type) {
    return Handlers.of(type, this::<R>bounded).named("time-out of " + limit);
  }

  private <R extends @Nullable Object> R bounded(Effect<R> effect) throws TimeoutException {
    return switch ((Effect<?>) effect) {
      case AcquireSemaphore(Semaphore semaphore, long permits) -> acquired(effect, semaphore, permits);
      case TryAcquireSemaphore(Semaphore semaphore, long permits, Duration _) -> acquired(effect, semaphore, permits);
      default -> run(() -> Effects.perform(effect));
    };
  }

  /** If the bounded task has acquired the permits, and the caller is told something else, the caller does not have them: they are given back. */
  private <R extends @Nullable Object> R acquired(Effect<R> effect, Semaphore semaphore, long permits) throws TimeoutException {
    AtomicBoolean has = new AtomicBoolean();
    try {
      return run(
          () -> {
            R answer = Effects.perform(effect);
            has.set(!Boolean.FALSE.equals(answer));
            return answer;
          });
    } catch (Throwable failure) {
      if (has.get() && !Residence.isEnd(failure)) {
        Effects.release(semaphore, permits);
      }
      throw failure;
    }
  }

  /** One program with its limit, in the task that has called. */
  private static final class Bounded<T extends @Nullable Object> {
    private final Duration limit;
    private final Program<? extends T> program;
    private final EffectTask<?> caller = EffectTask.current();

    // What the program has left behind; null if it never began.
    private @Nullable PersistentMap state;
    private @Nullable Log log;

    Bounded(Duration limit, Program<? extends T> program) {
      this.limit = limit;
      this.program = program;
    }

    T run() throws TimeoutException {
      Task<T> body = Effects.spawn("bounded program", new Body());
      Task<@Nullable Object> alarm = null;
      Throwable thrown = null;
      try {
        alarm = Effects.spawn("time-out", this::alarm);
        Effects.<@Nullable Object>race(body, alarm);
      } catch (Throwable failure) {
        passOnTheEnd(failure);
        thrown = failure;
      }
      boolean late = body.cancel();
      if (alarm != null) {
        alarm.cancel();
      }
      thrown = ended(body, thrown);
      if (alarm != null) {
        thrown = ended(alarm, thrown);
      }
      if (state != null && log != null) {
        caller.state = state;
        caller.log = log;
      }
      if (thrown != null && (late || isForTheCaller(thrown))) {
        throw Failures.<RuntimeException>rethrow(thrown);
      }
      Result<T> result = EffectTask.resultOf((EffectTask<T>) body);
      return switch (result) {
        case Result.Ok<T>(T value) -> value;
        case Result.Err<T>(Throwable error) when !late -> throw Failures.<RuntimeException>rethrow(error);
        case Result.Err<T>(Throwable error) -> throw timedOut(error);
      };
    }

    private final class Body implements Leaving<T> {
      @Override
      public T run() throws Exception {
        EffectTask<?> me = EffectTask.current();
        try {
          return program.run();
        } finally {
          // A handler of Spawn may have put another program around this one, which is then not told what is left.
          left(me.state, me.log);
        }
      }

      @Override
      public void left(PersistentMap leftState, Log leftLog) {
        state = leftState;
        log = leftLog;
      }
    }

    private @Nullable Object alarm() {
      Effects.sleep(limit);
      return null;
    }

    /** Waits until {@code task} has ended. Returns {@code before}, or the cancellation of the caller if that came meanwhile. */
    private @Nullable Throwable ended(Task<?> task, @Nullable Throwable before) {
      Throwable thrown = before;
      while (!task.state().isDone()) {
        try {
          Effects.join(task);
        } catch (Throwable failure) {
          passOnTheEnd(failure);
          if (failure instanceof Abort) {
            thrown = failure;
            // Without an effect: whoever answers those does not want to go on.
            EffectTask<?> waitedFor = (EffectTask<?>) task;
            waitedFor.await(waitedFor, false, FOREVER);
          } else if (caller.isOwnCancellation(failure) || (failure instanceof InterruptedException && !task.state().isDone())) {
            thrown = failure;
          } else if (!task.state().isDone()) {
            throw failure;
          }
        }
      }
      return thrown;
    }

    /** Whether {@code thrown} is to get the caller out of here, however the program has ended. */
    private boolean isForTheCaller(Throwable thrown) {
      return thrown instanceof Abort || thrown instanceof InterruptedException || caller.isOwnCancellation(thrown);
    }

    private static void passOnTheEnd(Throwable failure) {
      if (Residence.isEnd(failure) || EffectTask.isFatal(failure)) {
        throw Failures.<RuntimeException>rethrow(failure);
      }
    }

    private TimeoutException timedOut(Throwable error) {
      TimeoutException late = new TimeoutException("The program has not ended within " + limit + ", and was cancelled.");
      if (!(error instanceof TaskCancelledException)) {
        late.addSuppressed(error);
      }
      return late;
    }
  }
}

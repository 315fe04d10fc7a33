// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.host.Hosts;
import dev.baton.internal.kernel.Failures;
import dev.baton.sync.Result;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tries programs again that have failed, after waiting for longer and longer.
 *
 * {@snippet :
 * Retry patiently = Retry.attempts(5).delay(Duration.ofMillis(100)).factor(2).jitter(0.5).on(java.io.IOException.class);
 * RunResult<String> result = Effects.run(() -> patiently.run(() -> Effects.await(() -> "fetched")));
 * }
 *
 * <p>What a failed attempt has done to the state and the log stays. Delays are {@link Delay} effects, so they cost nothing in virtual
 * time; the randomness of {@link #jitter} is that of the run, so a run can be repeated.
 *
 * <p><b>Cancellation</b> of the calling task is never taken for a failure: it ends attempts and delays alike, and is thrown. So is
 * an interrupt, by which a scope around wants to be left.
 *
 * <p>Immutable: each method that sets something returns a new object.
 */
public final class Retry {
  private static final int JITTER_STEPS = 1 << 20;

  /** So many errors of earlier attempts are kept: there may be attempts without end. */
  private static final int KEPT_ERRORS = 100;

  private final int attempts;
  private final Duration delay;
  private final double factor;
  private final Duration maxDelay;
  private final double jitter;
  private final Predicate<? super Throwable> retried;

  private Retry(
      int attempts, Duration delay, double factor, Duration maxDelay, double jitter, Predicate<? super Throwable> retried) {
    this.attempts = attempts;
    this.delay = delay;
    this.factor = factor;
    this.maxDelay = maxDelay;
    this.jitter = jitter;
    this.retried = retried;
  }

  /**
   * So many attempts at most, the first included; at once after each other, after any {@link Exception}, unless set otherwise.
   *
   * @param attempts how many, the first included; at least 1
   * @return a way to try again
   * @throws IllegalArgumentException if {@code attempts} is less than 1
   */
  public static Retry attempts(int attempts) {
    if (attempts < 1) {
      throw new IllegalArgumentException("There must be at least 1 attempt, not " + attempts + ".");
    }
    return new Retry(attempts, Duration.ZERO, 1, Duration.ofDays(365), 0, error -> error instanceof Exception);
  }

  /**
   * How long to wait before the second attempt; zero unless set.
   *
   * @param initial zero or more, by the clock of the run
   * @return a way with that setting; this one stays as it is
   * @throws IllegalArgumentException if it is negative
   */
  public Retry delay(Duration initial) {
    return new Retry(attempts, notNegative(initial, "The delay"), factor, maxDelay, jitter, retried);
  }

  /**
   * How many times as long to wait before each further attempt; 1 unless set.
   *
   * @param times 1 or more, and finite
   * @return a way with that setting; this one stays as it is
   * @throws IllegalArgumentException if it is less than 1, or not finite
   */
  public Retry factor(double times) {
    if (!(times >= 1) || Double.isInfinite(times)) {
      throw new IllegalArgumentException("The factor of a back-off is at least 1, not " + times + ": delays do not shrink.");
    }
    return new Retry(attempts, delay, times, maxDelay, jitter, retried);
  }

  /**
   * How long to wait at most, however often; a year unless set.
   *
   * @param longest zero or more
   * @return a way with that setting; this one stays as it is
   * @throws IllegalArgumentException if it is negative
   */
  public Retry maxDelay(Duration longest) {
    return new Retry(attempts, delay, factor, notNegative(longest, "The longest delay"), jitter, retried);
  }

  /**
   * Which part of each delay is left to chance: with 0.25 it is between three quarters of its length and all of it; 0 unless set.
   *
   * @param part from 0 to 1
   * @return a way with that setting; this one stays as it is
   * @throws IllegalArgumentException if it is not from 0 to 1
   */
  public Retry jitter(double part) {
    if (!(part >= 0 && part <= 1)) {
      throw new IllegalArgumentException("The part of a delay that is left to chance is from 0 to 1, not " + part + ".");
    }
    return new Retry(attempts, delay, factor, maxDelay, part, retried);
  }

  /**
   * Tries again only after errors of this class.
   *
   * @param type the class of the errors, or one above it
   * @return a way with that setting; this one stays as it is
   */
  public Retry on(Class<? extends Throwable> type) {
    Objects.requireNonNull(type, "type");
    return when(type::isInstance);
  }

  /**
   * Tries again only after errors for which this is true. If it throws, that is thrown, with the error suppressed in it.
   *
   * @param condition asked with each error after which there is another attempt
   * @return a way with that setting; this one stays as it is
   */
  public Retry when(Predicate<? super Throwable> condition) {
    return new Retry(attempts, delay, factor, maxDelay, jitter, Objects.requireNonNull(condition, "condition"));
  }

  private static Duration notNegative(Duration duration, String what) {
    Objects.requireNonNull(duration, what);
    if (duration.isNegative()) {
      throw new IllegalArgumentException(what + " between attempts cannot be negative: " + duration + ".");
    }
    return duration;
  }

  /**
   * Runs {@code program} until it returns. The error of the last attempt is thrown as it is, with those of the others, the latest 100 of
   * them, suppressed in it.
   *
   * @param <T> what the program returns
   * @param program what to run, perhaps several times
   * @return what {@code program} returned in the end
   */
  public <T extends @Nullable Object> T run(Program<? extends T> program) {
    Objects.requireNonNull(program, "program");
    ArrayDeque<Throwable> before = new ArrayDeque<>();
    for (int attempt = 1; ; attempt++) {
      Result<T> result = Kept.result(program);
      switch (result) {
        case Result.Ok<T>(T value) -> {
          return value;
        }
        case Result.Err<T>(Throwable error) -> {
          if (attempt == attempts || !isRetried(error)) {
            before.forEach(earlier -> Failures.join(error, earlier));
            throw Failures.<RuntimeException>rethrow(error);
          }
          if (before.size() == KEPT_ERRORS) {
            before.removeFirst();
          }
          before.addLast(error);
        }
      }
      Duration pause = pause(attempt);
      if (!pause.isZero()) {
        Effects.sleep(pause);
      }
    }
  }

  /**
   * {@return a handler that tries effects of one class again: each goes to the handlers outside, as often as it takes}
   *
   * @param <R> what the effects are answered with
   * @param <E> the class of the effects
   * @param type the class of the effects
   */
  public <R extends @Nullable Object, E extends Effect<R>> Handlers handling(Class<E> type) {
    return Handlers.of(type, (E effect) -> this.<R>run(() -> Effects.perform(effect))).named("retry");
  }

  private boolean isRetried(Throwable error) {
    try {
      // An interrupt is no failure: a scope around wants the task to leave it.
      return !(error instanceof InterruptedException) && retried.test(error);
    } catch (Throwable broken) {
      throw Failures.<RuntimeException>rethrow(Failures.join(broken, error));
    }
  }

  /** How long to wait after so many attempts. */
  private Duration pause(int attempt) {
    double nanos = Math.min(nanos(delay) * Math.pow(factor, attempt - 1.0), nanos(maxDelay));
    if (jitter > 0 && nanos > 0) {
      nanos *= 1 - jitter * Hosts.current().nextInt(JITTER_STEPS) / JITTER_STEPS;
    }
    return Duration.ofNanos((long) nanos);
  }

  /** More than three hundred years are as good as for ever. */
  private static double nanos(Duration duration) {
    return Math.min(duration.getSeconds() * 1e9 + duration.getNano(), Long.MAX_VALUE);
  }
}

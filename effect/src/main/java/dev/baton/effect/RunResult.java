// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.runtime.DeadlockException;
import dev.baton.sync.Result;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a run went.
 *
 * @param result what the program returned or threw; an error too if the run was ended by a deadlock, or by an error of the JVM
 * @param state the state of the first task when it ended
 * @param log the log of the first task
 * @param unobservedFailures tasks that failed, and nobody has waited for them or looked at their outcome
 * @param leftOver tasks that had not ended when the program returned: they were cancelled
 * @param stuck a deadlock of tasks that were left over, while they cleaned up; the result of the program stands
 * @param <T> what the program returns
 */
public record RunResult<T extends @Nullable Object>(
    Result<T> result,
    Map<Object, @Nullable Object> state,
    List<LogEntry> log,
    List<UnobservedFailure> unobservedFailures,
    List<LeftOver> leftOver,
    Optional<DeadlockException> stuck) {

  /** {@return whether the program returned a value} */
  public boolean isOk() {
    return result.isOk();
  }

  /**
   * {@return what the program returned}
   *
   * @throws IllegalStateException if it did not; the error is the cause
   */
  public T value() {
    return switch (result) {
      case Result.Ok<T>(T value) -> value;
      case Result.Err<T>(Throwable error) ->
          throw new IllegalStateException("The program has no value, it failed: " + error, error);
    };
  }

  /**
   * {@return what the program returned; what it threw is thrown as it is}
   *
   * @throws Exception what the program threw, itself
   */
  public T orThrow() throws Exception {
    return result.orThrow();
  }

  /** {@return what the program threw, or what ended the run} */
  public Optional<Throwable> error() {
    return result instanceof Result.Err<T>(Throwable error) ? Optional.of(error) : Optional.empty();
  }

  /** {@return what the first task told, without the times} */
  public List<@Nullable Object> messages() {
    return log.stream().<@Nullable Object>map(LogEntry::message).toList();
  }
}

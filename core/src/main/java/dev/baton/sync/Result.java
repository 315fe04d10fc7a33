// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import dev.baton.internal.kernel.Failures;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How something ended: with a value or with an error.
 *
 * {@snippet :
 * Result<Integer> result = new Result.Ok<>(42);
 * String text =
 *     switch (result) {
 *       case Result.Ok<Integer>(Integer value) -> "got " + value;
 *       case Result.Err<Integer>(Throwable error) -> "failed: " + error;
 *     };
 * }
 *
 * @param <T> the type of the value
 */
public sealed interface Result<T extends @Nullable Object> {

  /**
   * {@return the value, or the error itself, thrown as it is}
   *
   * @throws Exception the error, itself
   */
  T orThrow() throws Exception;

  /** {@return whether there is a value} */
  boolean isOk();

  /**
   * Ended with a value, which may be null if the work returned null.
   *
   * @param <T> the type of the value
   * @param value what came of it
   */
  record Ok<T extends @Nullable Object>(T value) implements Result<T> {
    @Override
    public T orThrow() {
      return value;
    }

    @Override
    public boolean isOk() {
      return true;
    }
  }

  /**
   * Ended with an error.
   *
   * @param <T> the type of the value
   * @param error what went wrong
   */
  record Err<T extends @Nullable Object>(Throwable error) implements Result<T> {
    /** Ended with {@code error}. */
    public Err {
      Objects.requireNonNull(error, "error");
    }

    @Override
    public T orThrow() throws Exception {
      throw Failures.<Exception>rethrow(error);
    }

    @Override
    public boolean isOk() {
      return false;
    }
  }
}

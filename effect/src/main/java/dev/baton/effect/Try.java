// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.sync.Result;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program. Answer: its value, or its error. The cancellation of the task itself is no such error: it is thrown. See {@link
 * Effects#attempt}.
 *
 * @param program the program
 * @param <T> what it returns
 */
public record Try<T extends @Nullable Object>(Program<? extends T> program) implements Effect<Result<T>> {
  /** Checked. */
  public Try {
    Objects.requireNonNull(program, "program");
  }
}

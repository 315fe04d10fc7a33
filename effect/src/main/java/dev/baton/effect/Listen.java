// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program. Answer: its value, and what it told. See {@link Effects#listen}.
 *
 * @param program the program
 * @param <T> what it returns
 */
public record Listen<T extends @Nullable Object>(Program<? extends T> program) implements Effect<Listened<T>> {
  /** Checked. */
  public Listen {
    Objects.requireNonNull(program, "program");
  }
}

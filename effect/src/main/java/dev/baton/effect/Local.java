// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program in an environment in which some keys have other values. See {@link Effects#local}.
 *
 * @param overrides the other values
 * @param program the program
 * @param <T> what it returns
 */
public record Local<T extends @Nullable Object>(Map<?, ?> overrides, Program<? extends T> program) implements Effect<T> {
  /** Checked. */
  public Local {
    overrides = Collections.unmodifiableMap(new LinkedHashMap<>(Objects.requireNonNull(overrides, "overrides")));
    Objects.requireNonNull(program, "program");
  }
}

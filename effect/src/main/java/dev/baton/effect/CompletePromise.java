// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a promise with a value. See {@link Effects#complete}.
 *
 * @param promise one of this run, not kept yet
 * @param value the value
 * @param <T> its type
 */
public record CompletePromise<T extends @Nullable Object>(Promise<T> promise, T value) implements Effect<@Nullable Void> {
  /** Checked. */
  public CompletePromise {
    Objects.requireNonNull(promise, "promise");
  }
}

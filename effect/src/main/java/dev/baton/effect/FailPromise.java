// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a promise with an error. See {@link Effects#fail}.
 *
 * @param promise one of this run, not kept yet
 * @param error what all who wait for it throw
 */
public record FailPromise(Promise<?> promise, Throwable error) implements Effect<@Nullable Void> {
  /** Checked. */
  public FailPromise {
    Objects.requireNonNull(promise, "promise");
    Objects.requireNonNull(error, "error");
  }
}

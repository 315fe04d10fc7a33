// SPDX-License-Identifier: Apache-2.0
package dev.baton.scope;

import org.jspecify.annotations.Nullable;

/** The deadline of a {@link Scope} passed before its work was done. */
public final class DeadlineExceededException extends RuntimeException {
  private static final long serialVersionUID = 1;

  DeadlineExceededException(@Nullable String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

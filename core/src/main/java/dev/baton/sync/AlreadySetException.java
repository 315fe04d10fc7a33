// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import org.jspecify.annotations.Nullable;

/** Thrown when an {@link OnceCell} that has its value is given another one. The cell keeps what it has. */
public final class AlreadySetException extends IllegalStateException {
  // Any value may be put in a cell, also one that cannot be written out.
  private final transient @Nullable Object value;
  private final transient @Nullable Object rejected;

  /**
   * With the value the cell has, and the one it has rejected.
   *
   * @param value what the cell has
   * @param rejected what was not put in
   */
  public AlreadySetException(Object value, Object rejected) {
    super("The cell has its value already and keeps it: value() is the one it has, rejected() the one it was given now.");
    this.value = value;
    this.rejected = rejected;
  }

  /** {@return the value the cell has; null only if this exception was serialized} */
  public @Nullable Object value() {
    return value;
  }

  /** {@return the value that was not put in; null only if this exception was serialized} */
  public @Nullable Object rejected() {
    return rejected;
  }
}

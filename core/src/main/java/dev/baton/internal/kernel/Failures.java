// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import org.jspecify.annotations.Nullable;

/** Keeping errors until everybody has been served. */
public final class Failures {
  private Failures() {}

  /** The first failure, with the others suppressed in it. */
  public static Throwable join(@Nullable Throwable first, Throwable next) {
    if (first == null) {
      return next;
    }
    if (first != next) {
      first.addSuppressed(next);
    }
    return first;
  }

  /** What {@code error} says of itself. That is foreign code, and may fail in its turn: whoever waits must still be told of the error. */
  public static String shown(Throwable error) {
    try {
      return error.toString();
    } catch (Throwable foreign) {
      return error.getClass().getName();
    }
  }

  /** Throws {@code failure} as it is, checked or not. Never returns; declared to, so that callers can write {@code throw}. */
  @SuppressWarnings("unchecked")
  public static <X extends Throwable> RuntimeException rethrow(Throwable failure) throws X {
    throw (X) failure;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import dev.baton.internal.kernel.Failures;

/**
 * The factory of a {@link Pool} threw a checked exception, which is the cause. Nothing is held, and the slot is free again. What it
 * throws unchecked comes as it is.
 */
public final class CreationFailedException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  CreationFailedException(Throwable cause) {
    super("The factory of the pool has failed: " + Failures.shown(cause), cause);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease;

/** What happens when a name is used with another limit than it has. */
public enum OnMismatch {
  /** {@link LimitMismatchException}. */
  ERROR,
  /** The limit that the name has is used. */
  ADOPT,
  /** The name gets the limit that is declared now, as by {@link LeaseSemaphore#resize}; and as if that had been declared first. */
  OVERWRITE
}
